/** Sessions: creates, validates, lists and ends the sessions of readers. */
import { createHash, randomBytes } from 'node:crypto';
import type { SessionPage } from '../../contract/api.ts';
import { isUnreachable, troubleOf } from '../lib/infrastructure-errors.ts';
import { SESSION_FOR, type Store } from '../storage/ports/store.ts';

/** Creates a session. The token is 256 random bits; only its hash is stored. `now` is milliseconds. */
export async function startSession(store: Store, readerId: string, now: number): Promise<{ token: string; expiresAt: string }> {
  const token = randomBytes(32).toString('base64url');
  const expires = expiry(now);
  await store.putSession({ tokenHash: hashOf(token), readerId, expires });
  return { token, expiresAt: new Date(expires * 1000).toISOString() };
}

/**
 * Returns the reader of a token and extends the session by a day; null if the token is unknown or expired. If nothing can be
 * written, as on a full disk, the expiry stays the same, so that reading still works.
 */
export async function readerOfToken(store: Store, token: string, now: number): Promise<string | null> {
  const [hash, seconds] = [hashOf(token), Math.floor(now / 1000)];
  const session = await store.touchSession(hash, seconds, expiry(now)).catch((error: Error) => {
    const trouble = troubleOf(error);
    // An unreachable database would only cause a second wait.
    if (trouble === null || isUnreachable(trouble)) throw error;
    return store.session(hash, seconds);
  });
  return session?.readerId ?? null;
}

/** Ends a session. A missing session counts as ended. */
export const endSession = (store: Store, token: string): Promise<void> => store.dropSession(hashOf(token));

/** Lists the reader's own sessions, the last used first. `now` is milliseconds. */
export async function sessionsOf(store: Store, readerId: string, token: string, now: number): Promise<SessionPage['items']> {
  return (await store.sessions(readerId, Math.floor(now / 1000))).map(({ tokenHash, expires }) => ({
    id: idOf(tokenHash),
    lastUsed: new Date((expires - SESSION_FOR) * 1000).toISOString(),
    current: tokenHash === hashOf(token),
  }));
}

/** Ends the sessions of a reader that `meant` selects, and returns their number. Earlier launch data can no longer sign in. */
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

/** Returns the public id of a session. Neither the token nor the stored hash can be derived from it. */
const idOf = (tokenHash: string): string => hashOf(tokenHash).slice(0, 32);

const expiry = (now: number): number => Math.floor(now / 1000) + SESSION_FOR;

/** Hashes a token for storage and for messages between processes. The hash cannot be used to sign in. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
