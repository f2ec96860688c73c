/** Rate limits: failed authentication attempts, sign-ins and changes, per address or account. */
import { performance } from 'node:perf_hooks';
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { clientAddress } from './client.ts';
import { HttpError } from './errors.ts';
import type { App } from './request.ts';

/** Limits per minute: failed attempts to guess a secret are counted per address, sign-ins and changes per account. */
const RATE_WINDOW_MS = 60_000;
const MAX_GUESSES = 60;
/** Higher than the limit of sign-ins: after a restore, all the readers of an office send tokens that are no longer valid. */
const MAX_WRONG_TOKENS = 600;
const MAX_SIGN_INS = 300;
const MAX_WRITES = 1200;
/** Changes without an account per address: sign-ins of all the readers of an office, and added feeds. */
const MAX_ANONYMOUS_WRITES = 600;

/**
 * Rate limit store that uses a monotonic clock. The library's own store uses the system clock: when a clock that was an hour
 * ahead is corrected, a limited client would stay limited for an hour. Stores at most `cache` keys and evicts the one that was
 * counted longest ago.
 */
export class MonotonicRateLimitStore implements FastifyRateLimitStore {
  readonly #held = new Map<string, { readonly current: number; readonly began: number }>();
  readonly #most: number;

  constructor({ cache = 5000 }: { readonly cache?: number } = {}) {
    this.#most = cache;
  }

  #count(key: string, timeWindow: number, more: number) {
    const [held, now] = [this.#held.get(key), performance.now()];
    const { current, began } = held && now - held.began < timeWindow ? held : { current: 0, began: now };
    return { current: current + more, began, ttl: began + timeWindow - now };
  }

  /** Method that the library calls to read a counter without increasing it. */
  read(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], timeWindow: number): void {
    done(null, this.#count(key, timeWindow, 0));
  }

  incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], timeWindow: number): void {
    const counted = this.#count(key, timeWindow, 1);
    this.#held.delete(key);
    this.#held.set(key, counted);
    const [oldest = key] = this.#held.keys();
    if (this.#held.size > this.#most) this.#held.delete(oldest);
    done(null, counted);
  }

  child(): MonotonicRateLimitStore {
    return new MonotonicRateLimitStore({ cache: this.#most });
  }
}

type ThrottledCheck = <Answer>(request: FastifyRequest, reply: FastifyReply, check: () => Promise<Answer>) => Promise<Answer>;

/** Limits per minute. Each process counts for itself, in memory. */
export interface RateLimits {
  /**
   * Runs a check of credentials. A check that throws a 401 counts as a guess. After too many from one address, no further check
   * runs: throws a `Refusal`, 429.
   */
  throttleGuesses: ThrottledCheck;
  /** The same for tokens and grants, with a higher limit. */
  throttleTokens: ThrottledCheck;
  /** Counts a sign-in of an account from any address. Throws a `Refusal`, 429, if there are too many. */
  limitSignIns(request: FastifyRequest, reply: FastifyReply, readerId: string): Promise<void>;
  /** Counts a change by account or, without one, by address. Throws a `Refusal`, 429, if there are too many. */
  limitWrites(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export function createRateLimits(app: App, config: Config): RateLimits {
  const account = ({ principal }: FastifyRequest) => `changes of ${principal.type === 'reader' ? principal.reader.id : ''}`;
  const signed = new WeakMap<FastifyRequest, string>();
  const limit = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: RATE_WINDOW_MS, keyGenerator });
  const signIns = limit(MAX_SIGN_INS, (request) => `sign-ins of ${signed.get(request)}`);
  const changes = limit(MAX_WRITES, account);
  const anonymousChanges = limit(MAX_ANONYMOUS_WRITES, (request) => `changes from ${clientAddress(request.raw, config)}`);

  const refuse = (reply: FastifyReply, seconds: number, detail: string): never => {
    reply.header('retry-after', Math.max(1, seconds));
    throw new HttpError(429, `${detail} Try again in a minute.`);
  };

  const guessing = (max: number, of: string): ThrottledCheck => {
    const guesses = limit(max, (request) => `${of} of ${clientAddress(request.raw, config)}`);
    return async (request, reply, check) => {
      const before = await guesses(request, { increment: false });
      if (!before.isAllowed && before.remaining === 0)
        refuse(reply, before.ttlInSeconds, 'Too much was tried from this address that was not right.');
      try {
        return await check();
      } catch (error) {
        if (error instanceof HttpError && error.status === 401) await guesses(request);
        throw error;
      }
    };
  };

  return {
    throttleGuesses: guessing(MAX_GUESSES, 'guesses'),
    throttleTokens: guessing(MAX_WRONG_TOKENS, 'tokens'),
    async limitSignIns(request, reply, readerId) {
      signed.set(request, readerId);
      const count = await signIns(request);
      if (!count.isAllowed && count.isExceeded) refuse(reply, count.ttlInSeconds, 'This account was signed in too often.');
    },
    async limitWrites(request, reply) {
      const isReader = request.principal.type === 'reader';
      const count = await (isReader ? changes : anonymousChanges)(request);
      const detail = isReader ? 'This account changed too much at once.' : 'Too many changes came from this address.';
      if (!count.isAllowed && count.isExceeded) refuse(reply, count.ttlInSeconds, detail);
    },
  };
}
