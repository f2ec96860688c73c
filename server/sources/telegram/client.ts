import { performance } from 'node:perf_hooks';
import { Api, GrammyError, type Transformer } from 'grammy';
import type { Config } from '../../config.ts';

const TELEGRAM = 'https://api.telegram.org';

/** Tries of a call before it fails, and the first pause between them in milliseconds; each pause is twice the one before. */
const TRIES = 4;
const FIRST_PAUSE = 500;
/** Longer than this, in seconds, no call waits to be let through: the caller's own loop comes again. */
const MOST_PATIENCE = 60;
/** A call without an answer ends after so many seconds; a long poll sets its own. */
const TIMEOUT = 30;

/** Telegram could not be reached, or what it answered was no answer. Its words never hold the bot's token. */
export class BotUnreachable extends Error {
  override readonly name = 'BotUnreachable';
}

/** The Bot API for one bot, and the files it gives. */
export interface BotApi {
  readonly api: Api;
  /** Fetches a file at the path that getFile gave; a path lives for an hour. Throws BotUnreachable without an answer. */
  download(filePath: string, signal?: AbortSignal): Promise<Response>;
}

type Answer = Awaited<ReturnType<Parameters<Transformer>[0]>>;

/** The part of a signal that both Node's and grammY's own have. */
interface Ending {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

type ShimSignal = NonNullable<Parameters<Api['getMe']>[0]>;

/** grammY's types name the signal of a package; what it does with one, the platform's own can too. */
export const endedBy = (signal: AbortSignal): ShimSignal => signal as unknown as ShimSignal;

/** Waits, at most until the signal. */
const pause = (seconds: number, signal: Ending | undefined): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, seconds * 1000);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
  });

/** Seconds to wait before the next try of a call that was refused; null where trying again changes nothing. */
const pauseFor = (answer: Answer, tried: number): number | null => {
  if (answer.ok || tried >= TRIES) return null;
  if (answer.error_code === 429) return answer.parameters?.retry_after ?? 1;
  return answer.error_code >= 500 ? (FIRST_PAUSE * 2 ** (tried - 1)) / 1000 : null;
};

/** node-fetch names the address it could not reach, and the address holds the token. */
const unreachable = (method: string, error: unknown, token: string): BotUnreachable => {
  const cause = error instanceof Error && 'error' in error ? error.error : error;
  const said = cause instanceof Error ? cause.message : String(cause);
  return new BotUnreachable(`Telegram could not be reached for ${method}: ${said.replaceAll(token, '…')}`);
};

/**
 * Waits out what Telegram says it will let through later, and what failed on the way. After one 429 every call waits: the limit
 * is the bot's, not the method's. A long poll has a loop of its own and is never repeated here.
 */
const patience = (token: string): Transformer => {
  let free = 0;
  return async (prev, method, payload, signal) => {
    for (let tried = 1; ; tried += 1) {
      const held = (free - performance.now()) / 1000;
      if (held > 0 && held <= MOST_PATIENCE) await pause(held, signal);
      try {
        const answer = await prev(method, payload, signal);
        const seconds = method === 'getUpdates' ? null : pauseFor(answer, tried);
        if (seconds === null || seconds > MOST_PATIENCE) return answer;
        if (!answer.ok && answer.error_code === 429) free = performance.now() + seconds * 1000;
        else await pause(seconds, signal);
      } catch (error) {
        if (method === 'getUpdates' || tried >= TRIES || signal?.aborted) throw unreachable(method, error, token);
        await pause((FIRST_PAUSE * 2 ** (tried - 1)) / 1000, signal);
      }
    }
  };
};

/** Opens the Bot API of the configured bot: 429, 5xx and network failures are waited out, within limits. */
export const createBotApi = ({ botToken, botApiRoot }: Pick<Config, 'botToken' | 'botApiRoot'>): BotApi => {
  const [root, token] = [botApiRoot ?? TELEGRAM, botToken ?? ''];
  const api = new Api(token, { apiRoot: root, timeoutSeconds: TIMEOUT });
  api.config.use(patience(token));
  return {
    api,
    download: (filePath, signal) =>
      fetch(`${root}/file/bot${token}/${filePath}`, signal ? { signal } : {}).catch((error: unknown) => {
        throw unreachable('a file', error, token);
      }),
  };
};

/** Says in one line what the Bot API refused or how it could not be reached; what was sent, which may be secret, is left out. */
export const sayRefused = (error: unknown): string => {
  if (error instanceof GrammyError) return `${error.method} was refused: ${error.error_code} ${error.description}`;
  return error instanceof Error ? error.message : String(error);
};

/** Whether the Bot API itself said no, which another try does not change. */
export const isRefusal = (error: unknown): error is GrammyError =>
  error instanceof GrammyError && error.error_code >= 400 && error.error_code < 500 && error.error_code !== 429;
