import { performance } from 'node:perf_hooks';
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { clientOf } from './client.ts';
import { Refusal } from './errors.ts';
import type { App } from './request.ts';

/** Whoever guesses secrets is stopped after so many from one address; whoever signs in or changes things, as an account. */
const MINUTE = 60_000;
const GUESSES = 60;
/** More than of sign-ins: after a restore, all the readers of an office bring tokens that are worth nothing any more. */
const TOKENS = 600;
const SIGN_INS = 300;
const CHANGES = 1200;
/** Changes without an account, of one address: sign-ins of all the readers of an office, and added feeds. */
const ANONYMOUS_CHANGES = 600;

/**
 * Counts for the rate limits by time that nobody sets. The library's own counts go by the clock: when one that was an hour ahead is
 * put right, who was limited stays so for an hour. No more than `cache` are counted; who was counted longest ago leaves first.
 */
export class Counts implements FastifyRateLimitStore {
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

  /** What the library asks where nothing is to be counted. */
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

  child(): Counts {
    return new Counts({ cache: this.#most });
  }
}

type Guess = <Answer>(request: FastifyRequest, reply: FastifyReply, check: () => Promise<Answer>) => Promise<Answer>;

/** What may be done so often a minute. Each process counts for itself, in memory. */
export interface Limits {
  /**
   * Runs a check of what somebody brings to be let in. One that throws a 401 is a guess; where an address made too many, nothing
   * more of it is checked: a Refusal, 429.
   */
  guess: Guess;
  /** The same for tokens and grants, of which more may be wrong. */
  bring: Guess;
  /** Counts a sign-in of an account; a Refusal, 429, where these are too many, from whatever addresses. */
  signIn(request: FastifyRequest, reply: FastifyReply, readerId: string): Promise<void>;
  /** Counts a change, of an account or, without one, of an address; a Refusal, 429, if there are too many. */
  change(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export function createLimits(app: App, config: Config): Limits {
  const account = ({ who }: FastifyRequest) => `changes of ${who.type === 'reader' ? who.reader.id : ''}`;
  const signed = new WeakMap<FastifyRequest, string>();
  const limit = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: MINUTE, keyGenerator });
  const signIns = limit(SIGN_INS, (request) => `sign-ins of ${signed.get(request)}`);
  const changes = limit(CHANGES, account);
  const anonymousChanges = limit(ANONYMOUS_CHANGES, (request) => `changes from ${clientOf(request.raw, config)}`);

  const refuse = (reply: FastifyReply, seconds: number, detail: string): never => {
    reply.header('retry-after', Math.max(1, seconds));
    throw new Refusal(429, `${detail} Try again in a minute.`);
  };

  const guessing = (max: number, of: string): Guess => {
    const guesses = limit(max, (request) => `${of} of ${clientOf(request.raw, config)}`);
    return async (request, reply, check) => {
      const before = await guesses(request, { increment: false });
      if (!before.isAllowed && before.remaining === 0)
        refuse(reply, before.ttlInSeconds, 'Too much was tried from this address that was not right.');
      try {
        return await check();
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) await guesses(request);
        throw error;
      }
    };
  };

  return {
    guess: guessing(GUESSES, 'guesses'),
    bring: guessing(TOKENS, 'tokens'),
    async signIn(request, reply, readerId) {
      signed.set(request, readerId);
      const count = await signIns(request);
      if (!count.isAllowed && count.isExceeded) refuse(reply, count.ttlInSeconds, 'This account was signed in too often.');
    },
    async change(request, reply) {
      const isReader = request.who.type === 'reader';
      const count = await (isReader ? changes : anonymousChanges)(request);
      const detail = isReader ? 'This account changed too much at once.' : 'Too many changes came from this address.';
      if (!count.isAllowed && count.isExceeded) refuse(reply, count.ttlInSeconds, detail);
    },
  };
}
