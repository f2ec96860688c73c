import { createHash, randomBytes } from 'node:crypto';
import type { SessionPage } from '../../contract/api.ts';
import { isUnreachable, troubleOf } from '../lib/infrastructure-errors.ts';
import { SESSION_FOR, type Store } from '../storage/ports/store.ts';

/** Starts a session: the token is 256 random bits, and only its hash is kept. `now` is milliseconds. */
export async function startSession(store: Store, readerId: string, now: number): Promise<{ token: string; expiresAt: string }> {
  const token = randomBytes(32).toString('base64url');
  const expires = expiry(now);
  await store.putSession({ tokenHash: hashOf(token), readerId, expires });
  return { token, expiresAt: new Date(expires * 1000).toISOString() };
}

/**
 * The reader that a token stands for, its session made to last another day; null when unknown or over. Where nothing can be
 * written, as on a full disk, it lasts as long as it did: who only reads is to go on.
 */
export async function readerOfToken(store: Store, token: string, now: number): Promise<string | null> {
  const [hash, seconds] = [hashOf(token), Math.floor(now / 1000)];
  const session = await store.touchSession(hash, seconds, expiry(now)).catch((error: Error) => {
    const trouble = troubleOf(error);
    // A database that cannot be reached would only be waited for twice.
    if (trouble === null || isUnreachable(trouble)) throw error;
    return store.session(hash, seconds);
  });
  return session?.readerId ?? null;
}

/** Ends a session; one that is not there is already over. */
export const endSession = (store: Store, token: string): Promise<void> => store.dropSession(hashOf(token));

/** The reader's sessions for the reader's own eyes, the last used first. `now` is milliseconds. */
export async function sessionsOf(store: Store, readerId: string, token: string, now: number): Promise<SessionPage['items']> {
  return (await store.sessions(readerId, Math.floor(now / 1000))).map(({ tokenHash, expires }) => ({
    id: idOf(tokenHash),
    lastUsed: new Date((expires - SESSION_FOR) * 1000).toISOString(),
    current: tokenHash === hashOf(token),
  }));
}

/** Ends those of a reader's sessions that are `meant`, and says how many they were; no launch from before signs in any more. */
export async function endSessions(
  store: Store,
  readerId: string,
  now: number,
  meant: (session: { readonly id: string; readonly tokenHash: string }) => boolean,
): Promise<number> {
  const seconds = Math.floor(now / 1000);
  const hashes = (await store.sessions(readerId, seconds)).map(({ tokenHash }) => tokenHash);
  const ended = hashes.filter((tokenHash) => meant({ id: idOf(tokenHash), tokenHash }));
  await store.endSessions(readerId, ended, seconds);
  return ended.length;
}

/** What a session is called: neither its token nor what the store knows it by can be told from it. */
const idOf = (tokenHash: string): string => hashOf(tokenHash).slice(0, 32);

const expiry = (now: number): number => Math.floor(now / 1000) + SESSION_FOR;

/** What of a token is kept and passed on: nobody can sign in with it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
