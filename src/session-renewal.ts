import { failureOf } from './channels/link.ts';
import type { Cell } from './readable.ts';

/** Time until a sign-in that no server answered is tried again, ms. */
const RETRY_INTERVAL_MS = 15_000;

export interface SessionRenewal {
  /** The server refused the token of a reader who is here. */
  begin(): void;
  failed(error: unknown): void;
  /** The reader is signed in, or has signed out. */
  end(): void;
}

export interface SessionRenewalOptions {
  /** Signs in with the launch data. */
  readonly signIn: () => void;
  readonly hasLaunchData: () => boolean;
  /** Set where the session ended and cannot be renewed silently. */
  readonly ended: Cell<boolean>;
}

/** Signs in again silently after a session ended: at once, then again as long as no server answers. A refusal ends it. */
export function createSessionRenewal({ signIn, hasLaunchData, ended }: SessionRenewalOptions): SessionRenewal {
  let retry: AbortController | null = null;
  const attempt = (): void => {
    if (hasLaunchData()) signIn();
    else ended.set(true);
  };
  const schedule = ({ signal }: AbortController): void => {
    if (!navigator.onLine) window.addEventListener('online', attempt, { once: true, signal });
    else {
      const timer = setTimeout(attempt, RETRY_INTERVAL_MS);
      signal.addEventListener('abort', () => clearTimeout(timer));
    }
  };
  const stop = (): void => {
    retry?.abort();
    retry = null;
  };
  return {
    begin() {
      stop();
      retry = new AbortController();
      attempt();
    },
    failed(error) {
      if (retry === null) return;
      const { status, unheard } = failureOf(error);
      if (unheard || status === null || status === 429 || status >= 500) schedule(retry);
      else ended.set(true);
    },
    end() {
      stop();
      ended.set(false);
    },
  };
}
