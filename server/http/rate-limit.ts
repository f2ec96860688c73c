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
/**
 * Higher than the limit of sign-ins: after a restore, all the readers of an office send tokens that are no longer
 * valid.
 */
const MAX_WRONG_TOKENS = 600;
const MAX_SIGN_INS = 300;
const MAX_WRITES = 1200;
/** Changes without an account per address: sign-ins of all the readers of an office, and added feeds. */
const MAX_ANONYMOUS_WRITES = 600;

/**
 * Rate limit store that uses a monotonic clock. The library's own store uses the system clock: when a clock that was an
 * hour ahead is corrected, a limited client would stay limited for an hour. Stores at most `cache` keys and evicts the
 * one that was counted longest ago.
 */
export class MonotonicRateLimitStore implements FastifyRateLimitStore {
  readonly #counters = new Map<string, { readonly current: number; readonly startedAt: number }>();
  readonly #maxKeys: number;

  constructor({ cache = 5000 }: { readonly cache?: number } = {}) {
    this.#maxKeys = cache;
  }

  #count(key: string, timeWindow: number, increment: number) {
    const [counter, now] = [this.#counters.get(key), performance.now()];
    const { current, startedAt } = counter && now - counter.startedAt < timeWindow ? counter : { current: 0, startedAt: now };
    return { current: current + increment, startedAt, ttl: startedAt + timeWindow - now };
  }

  /** Method that the library calls to read a counter without increasing it. */
  read(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], timeWindow: number): void {
    done(null, this.#count(key, timeWindow, 0));
  }

  incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], timeWindow: number): void {
    const counted = this.#count(key, timeWindow, 1);
    this.#counters.delete(key);
    this.#counters.set(key, counted);
    const [oldest = key] = this.#counters.keys();
    if (this.#counters.size > this.#maxKeys) this.#counters.delete(oldest);
    done(null, counted);
  }

  child(): MonotonicRateLimitStore {
    return new MonotonicRateLimitStore({ cache: this.#maxKeys });
  }
}

type ThrottledCheck = <Result>(request: FastifyRequest, reply: FastifyReply, check: () => Promise<Result>) => Promise<Result>;

/** Limits per minute. Each process counts for itself, in memory. */
export interface RateLimits {
  /**
   * Runs a check of credentials. A check that throws a 401 counts as a guess. After too many from one address, no
   * further check runs: throws an `HttpError`, 429.
   */
  throttleGuesses: ThrottledCheck;
  /** The same for tokens and grants, with a higher limit. */
  throttleTokens: ThrottledCheck;
  /** Counts a sign-in of an account from any address. Throws an `HttpError`, 429, if there are too many. */
  limitSignIns(request: FastifyRequest, reply: FastifyReply, readerId: string): Promise<void>;
  /** Counts a change by account or, without one, by address. Throws an `HttpError`, 429, if there are too many. */
  limitWrites(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Creates the limits with the plugin `@fastify/rate-limit`, which must be registered. */
export function createRateLimits(app: App, config: Config): RateLimits {
  const accountKey = ({ principal }: FastifyRequest) => `changes of ${principal.type === 'reader' ? principal.reader.id : ''}`;
  const signInReaders = new WeakMap<FastifyRequest, string>();
  const createCounter = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: RATE_WINDOW_MS, keyGenerator });
  const countSignIn = createCounter(MAX_SIGN_INS, (request) => `sign-ins of ${signInReaders.get(request)}`);
  const countWrite = createCounter(MAX_WRITES, accountKey);
  const countAnonymousWrite = createCounter(
    MAX_ANONYMOUS_WRITES,
    (request) => `changes from ${clientAddress(request.raw, config)}`,
  );

  const reject = (reply: FastifyReply, seconds: number, detail: string): never => {
    reply.header('retry-after', Math.max(1, seconds));
    throw new HttpError(429, `${detail} Try again in a minute.`);
  };

  const throttle = (max: number, name: string): ThrottledCheck => {
    const countAttempt = createCounter(max, (request) => `${name} of ${clientAddress(request.raw, config)}`);
    return async (request, reply, check) => {
      const status = await countAttempt(request, { increment: false });
      if (!status.isAllowed && status.remaining === 0)
        reject(reply, status.ttlInSeconds, 'Too many failed attempts came from this address.');
      try {
        return await check();
      } catch (error) {
        if (error instanceof HttpError && error.status === 401) await countAttempt(request);
        throw error;
      }
    };
  };

  return {
    throttleGuesses: throttle(MAX_GUESSES, 'guesses'),
    throttleTokens: throttle(MAX_WRONG_TOKENS, 'tokens'),
    async limitSignIns(request, reply, readerId) {
      signInReaders.set(request, readerId);
      const status = await countSignIn(request);
      if (!status.isAllowed && status.isExceeded) reject(reply, status.ttlInSeconds, 'This account signed in too often.');
    },
    async limitWrites(request, reply) {
      const isReader = request.principal.type === 'reader';
      const status = await (isReader ? countWrite : countAnonymousWrite)(request);
      const detail = isReader ? 'This account made too many changes.' : 'Too many changes came from this address.';
      if (!status.isAllowed && status.isExceeded) reject(reply, status.ttlInSeconds, detail);
    },
  };
}
