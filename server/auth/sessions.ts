/** Sessions: creates, validates, lists and ends the sessions of readers. */
import { createHash, randomBytes } from 'node:crypto';
import type { SessionPage } from '../../contract/api.ts';
import { classifyFailure, isDatabaseUnreachable } from '../lib/infrastructure-errors.ts';
import { SESSION_LIFETIME_SECONDS, type Store } from '../storage/ports/store.ts';

/** Creates a session. The token is 256 random bits; only its hash is stored. `now` is milliseconds. */
export async function startSession(store: Store, readerId: string, now: number): Promise<{ token: string; expiresAt: string }> {
  const token = randomBytes(32).toString('base64url');
  const expires = sessionExpiry(now);
  await store.putSession({ tokenHash: hashToken(token), readerId, expires });
  return { token, expiresAt: new Date(expires * 1000).toISOString() };
}

/**
 * Returns the reader of a token and extends the session by a day; null if the token is unknown or expired. `now` is
 * milliseconds. If nothing can be written, as on a full disk, the expiry stays the same, so that reading still works.
 */
export async function findReaderByToken(store: Store, token: string, now: number): Promise<string | null> {
  const [hash, nowSeconds] = [hashToken(token), Math.floor(now / 1000)];
  const session = await store.touchSession(hash, nowSeconds, sessionExpiry(now)).catch((error: Error) => {
    // If the database is unreachable, a second query would only wait again.
    if (classifyFailure(error) === null || isDatabaseUnreachable(error)) throw error;
    return store.session(hash, nowSeconds);
  });
  return session?.readerId ?? null;
}

/** Ends a session. A missing session counts as ended. */
export const endSession = (store: Store, token: string): Promise<void> => store.deleteSession(hashToken(token));

/** Lists the reader's own sessions, the last used first. `now` is milliseconds. */
export async function listSessions(store: Store, readerId: string, token: string, now: number): Promise<SessionPage['items']> {
  return (await store.sessions(readerId, Math.floor(now / 1000))).map(({ tokenHash, expires }) => ({
    id: publicSessionId(tokenHash),
    lastUsed: new Date((expires - SESSION_LIFETIME_SECONDS) * 1000).toISOString(),
    current: tokenHash === hashToken(token),
  }));
}

/**
 * Ends the sessions of a reader that `matches` selects, and returns their number. Earlier launch data can no longer
 * sign in.
 */
export async function endMatchingSessions(
  store: Store,
  readerId: string,
  now: number,
  matches: (session: { readonly id: string; readonly tokenHash: string }) => boolean,
): Promise<number> {
  const nowSeconds = Math.floor(now / 1000);
  const hashes = (await store.sessions(readerId, nowSeconds)).map(({ tokenHash }) => tokenHash);
  const matchingHashes = hashes.filter((tokenHash) => matches({ id: publicSessionId(tokenHash), tokenHash }));
  await store.endSessions(readerId, matchingHashes, nowSeconds);
  return matchingHashes.length;
}

/** Returns the public id of a session. Neither the token nor the stored hash can be derived from it. */
const publicSessionId = (tokenHash: string): string => hashToken(tokenHash).slice(0, 32);

const sessionExpiry = (now: number): number => Math.floor(now / 1000) + SESSION_LIFETIME_SECONDS;

/** Hashes a token for storage and for messages between processes. The hash cannot be used to sign in. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
