import { retryAfterSeconds } from '../../api/retry-after.ts';
import { toRequestFailure } from '../../data/connection/connection.ts';
import type { WritableSignal } from '../../lib/signal.ts';

/** Interval between retries of a sign-in that received no server response, ms. */
const RETRY_INTERVAL_MS = 15_000;

export interface SessionRenewal {
  /** Called when the server rejected the token of the current reader. */
  begin(): void;
  /** Called when a sign-in failed, here or before a navigation. */
  signInFailed(error: unknown): void;
  /** Returns true until the time at which the server accepts the next sign-in (Retry-After). */
  isWaiting(): boolean;
  /** Called when the reader is signed in, or has signed out. */
  end(): void;
}

export interface SessionRenewalOptions {
  /** Signs in with the launch data. */
  readonly signIn: () => void;
  readonly hasLaunchData: () => boolean;
  /** Set to true if the session ended and cannot be renewed silently. */
  readonly sessionEnded: WritableSignal<boolean>;
}

/**
 * Session renewal: signs in again silently after a session ended. The first attempt is immediate; it is retried while
 * no server responds. A rejected sign-in ends the retries.
 */
export function createSessionRenewal({ signIn, hasLaunchData, sessionEnded }: SessionRenewalOptions): SessionRenewal {
  /** Cancels the scheduled retry; null while no renewal is in progress. */
  let retry: AbortController | null = null;
  /** Earliest time of the next sign-in, in performance.now(). */
  let earliestSignIn = 0;
  /** Signs in, or reports that only the reader can sign in again. */
  const attempt = (): void => {
    earliestSignIn = 0;
    if (hasLaunchData()) signIn();
    else sessionEnded.set(true);
  };
  const stop = (): void => {
    retry?.abort();
    retry = null;
  };
  /**
   * Schedules a retry, when the device is online. Replaces the previous retry, so that there is never more than one.
   */
  const schedule = (waitMs: number): void => {
    stop();
    retry = new AbortController();
    const { signal } = retry;
    if (!navigator.onLine) window.addEventListener('online', attempt, { once: true, signal });
    else {
      const timer = setTimeout(attempt, waitMs);
      signal.addEventListener('abort', () => clearTimeout(timer));
    }
  };
  return {
    begin() {
      stop();
      retry = new AbortController();
      attempt();
    },
    signInFailed(error) {
      const seconds = retryAfterSeconds(error);
      if (seconds !== null) earliestSignIn = performance.now() + seconds * 1000;
      if (retry === null) return;
      const { status, unreachable } = toRequestFailure(error);
      if (seconds !== null) schedule(seconds * 1000);
      else if (unreachable || status === null || status >= 500) schedule(RETRY_INTERVAL_MS);
      else sessionEnded.set(true);
    },
    isWaiting: () => performance.now() < earliestSignIn,
    end() {
      stop();
      earliestSignIn = 0;
      sessionEnded.set(false);
    },
  };
}
