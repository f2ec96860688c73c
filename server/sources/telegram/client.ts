/** Bot API client: calls Telegram with retries, rate-limit handling and timeouts. */
import { performance } from 'node:perf_hooks';
import { Api, GrammyError, type Transformer } from 'grammy';
import type { Config } from '../../config.ts';

const TELEGRAM_API_ROOT = 'https://api.telegram.org';

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

/** Returns the seconds to wait before the next attempt of a call that failed; null if a retry would not help. */
const retryPauseSeconds = (response: BotApiResponse, attempt: number): number | null => {
  if (response.ok || attempt >= MAX_TRIES) return null;
  if (response.error_code === 429) return response.parameters?.retry_after ?? 1;
  return response.error_code >= 500 ? (FIRST_PAUSE_MS * 2 ** (attempt - 1)) / 1000 : null;
};

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
 * because the limit applies to the bot and not to the method. A long poll has its own loop and is never retried here.
 */
const createRetryTransformer = (token: string): Transformer => {
  /** Earliest time of the next call, in milliseconds of `performance.now()`. */
  let nextCallAt = 0;
  return async (send, method, payload, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const waitSeconds = (nextCallAt - performance.now()) / 1000;
      if (waitSeconds > 0 && waitSeconds <= MAX_WAIT_SECONDS) await pause(waitSeconds, signal);
      try {
        const response = await send(method, payload, signal);
        const retrySeconds = method === 'getUpdates' ? null : retryPauseSeconds(response, attempt);
        if (retrySeconds === null || retrySeconds > MAX_WAIT_SECONDS) return response;
        if (!response.ok && response.error_code === 429) nextCallAt = performance.now() + retrySeconds * 1000;
        else await pause(retrySeconds, signal);
      } catch (error) {
        if (method === 'getUpdates' || attempt >= MAX_TRIES || signal?.aborted) throw unreachableError(method, error, token);
        await pause((FIRST_PAUSE_MS * 2 ** (attempt - 1)) / 1000, signal);
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
