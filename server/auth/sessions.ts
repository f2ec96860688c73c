import { createHash, randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';

/** Seconds that a token lives after its last use. */
const LIFE = 86_400;

/** Starts a session: the token is 256 random bits, and only its hash is kept. `now` is milliseconds. */
export async function startSession(store: Store, readerId: string, now: number): Promise<{ token: string; expiresAt: string }> {
  const token = randomBytes(32).toString('base64url');
  const expires = expiry(now);
  await store.putSession({ tokenHash: hashOf(token), readerId, expires });
  return { token, expiresAt: new Date(expires * 1000).toISOString() };
}

/** The reader that a token stands for, its session made to last another day; null when unknown or over. */
export async function readerOfToken(store: Store, token: string, now: number): Promise<string | null> {
  const session = await store.touchSession(hashOf(token), Math.floor(now / 1000), expiry(now));
  return session?.readerId ?? null;
}

/** Ends a session; one that is not there is already over. */
export const endSession = (store: Store, token: string): Promise<void> => store.dropSession(hashOf(token));

const expiry = (now: number): number => Math.floor(now / 1000) + LIFE;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
