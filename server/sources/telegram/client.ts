/** Bot API client: calls Telegram with retries, rate-limit handling and timeouts. */
import { performance } from 'node:perf_hooks';
import { Api, GrammyError, type Transformer } from 'grammy';
import type { Config } from '../../config.ts';

/** Address of Telegram's own Bot API server. */
export const TELEGRAM_API_ROOT = 'https://api.telegram.org';

/**
 * Number of attempts of a call, and the first delay between them in milliseconds. Each delay is twice the previous one
 * (exponential backoff).
 */
const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 500;
/** Maximum seconds that a call waits for the rate limit. The caller's own loop retries after longer waits. */
const MAX_WAIT_SECONDS = 60;
/** Timeout of a call in seconds. A long poll sets its own. */
const REQUEST_TIMEOUT_SECONDS = 30;

/** Error: Telegram was unreachable, or its response was invalid. The message never contains the bot's token. */
export class BotUnreachable extends Error {
  override readonly name = 'BotUnreachable';
}

/** Bot API client of one bot, and download of its files. */
export interface BotApi {
  readonly api: Api;
  /**
   * Fetches a file at the path that getFile returned. A path is valid for an hour. Throws BotUnreachable if there is no
   * response.
   */
  download(filePath: string, signal?: AbortSignal): Promise<Response>;
}

type BotApiResponse = Awaited<ReturnType<Parameters<Transformer>[0]>>;

/** The members that both Node's AbortSignal and grammY's signal have. */
interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

type GrammySignal = NonNullable<Parameters<Api['getMe']>[0]>;

/**
 * Casts a signal: grammY's types require the signal of a package, but at run time grammY also works with the platform's
 * own.
 */
export const toGrammySignal = (signal: AbortSignal): GrammySignal => signal as unknown as GrammySignal;

/** Waits for some seconds, or until the signal aborts. */
const pause = (seconds: number, signal: AbortSignalLike | undefined): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, seconds * 1000);
    if (signal?.aborted) finish();
    signal?.addEventListener('abort', finish);
  });

/** Returns the seconds for which Telegram's rate limit applies; null if the response is not a 429. */
const rateLimitSeconds = (response: BotApiResponse): number | null =>
  !response.ok && response.error_code === 429 ? (response.parameters?.retry_after ?? 1) : null;

/** Returns whether Telegram failed to process a call, so that a retry may help. */
const isServerError = (response: BotApiResponse): boolean => !response.ok && response.error_code >= 500;

/**
 * Creates the error without the token: node-fetch includes the URL that it could not reach, and the URL contains the
 * token.
 */
const unreachableError = (method: string, error: unknown, token: string): BotUnreachable => {
  const cause = error instanceof Error && 'error' in error ? error.error : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new BotUnreachable(`Telegram could not be reached for ${method}: ${message.replaceAll(token, '…')}`);
};

/**
 * Retries calls that Telegram rate-limited, and calls that failed on the network. After one 429 every call waits,
 * because the limit applies to the bot and not to the method, but at most `MAX_WAIT_SECONDS`. A long poll has its own
 * loop and is never retried here.
 */
const createRetryTransformer = (token: string): Transformer => {
  /** Earliest time of the next call, in milliseconds of `performance.now()`. */
  let nextCallAt = 0;
  return async (send, method, payload, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const waitSeconds = (nextCallAt - performance.now()) / 1000;
      if (waitSeconds > 0) await pause(waitSeconds, signal);
      const isLastAttempt = method === 'getUpdates' || attempt >= MAX_TRIES;
      const pauseSeconds = (FIRST_PAUSE_MS * 2 ** (attempt - 1)) / 1000;
      try {
        const response = await send(method, payload, signal);
        const limitSeconds = rateLimitSeconds(response);
        if (limitSeconds !== null)
          nextCallAt = Math.max(nextCallAt, performance.now() + Math.min(limitSeconds, MAX_WAIT_SECONDS) * 1000);
        const mayRetry = limitSeconds === null ? isServerError(response) : limitSeconds <= MAX_WAIT_SECONDS;
        if (isLastAttempt || !mayRetry) return response;
        if (limitSeconds === null) await pause(pauseSeconds, signal);
      } catch (error) {
        if (isLastAttempt || signal?.aborted) throw unreachableError(method, error, token);
        await pause(pauseSeconds, signal);
      }
    }
  };
};

/** Creates the Bot API client of the configured bot. It retries after 429, 5xx and network failures, within limits. */
export const createBotApi = ({ botToken, botApiRoot }: Pick<Config, 'botToken' | 'botApiRoot'>): BotApi => {
  const [root, token] = [botApiRoot ?? TELEGRAM_API_ROOT, botToken ?? ''];
  const api = new Api(token, { apiRoot: root, timeoutSeconds: REQUEST_TIMEOUT_SECONDS });
  api.config.use(createRetryTransformer(token));
  return {
    api,
    download: (filePath, signal) =>
      fetch(`${root}/file/bot${token}/${filePath}`, signal ? { signal } : {}).catch((error: unknown) => {
        throw unreachableError('a file', error, token);
      }),
  };
};

/**
 * Describes in one line why the Bot API rejected a call or was unreachable. The line omits the request's parameters,
 * which may be secret.
 */
export const describeBotError = (error: unknown): string => {
  if (error instanceof GrammyError) return `Telegram rejected ${error.method}: ${error.error_code} ${error.description}`;
  return error instanceof Error ? error.message : String(error);
};

/** Returns whether the Bot API itself rejected the call, so that a retry would not help. */
export const isBotApiRejection = (error: unknown): error is GrammyError =>
  error instanceof GrammyError && error.error_code >= 400 && error.error_code < 500 && error.error_code !== 429;
