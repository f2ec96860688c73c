import type { SessionPage } from '../../contract/api.ts';
import { sessionPage } from '../../contract/parse-account.ts';
import { property } from '../lib/property.ts';
import { ApiError } from './api-error.ts';
import type { HttpClient } from './types.ts';

/**
 * Account API of the signed-in reader: sessions, export and deletion of the stored data. A separate module, because few
 * pages need it.
 */
export interface AccountApi {
  sessions(): Promise<SessionPage>;
  /** Ends one of the reader's sessions. */
  endSession(id: string): Promise<void>;
  /** Ends all sessions of the reader except the current one. */
  endOtherSessions(): Promise<void>;
  /** Returns all data that the server stores about the reader, as indented JSON that a person can read. */
  storedData(): Promise<string>;
  /** Deletes the reader and all of their sessions from the server. */
  erase(): Promise<void>;
}

const ME_PATH = '/api/me';
const SESSIONS_PATH = `${ME_PATH}/sessions`;

export function createAccountApi(client: HttpClient): AccountApi {
  const remove = async (path: string): Promise<void> => void (await client.write('delete', path, undefined, [ME_PATH]));
  return {
    sessions: async () => sessionPage(await client.get(SESSIONS_PATH, { fresh: true }), SESSIONS_PATH),
    endSession: (id) => remove(`${SESSIONS_PATH}/${encodeURIComponent(id)}`),
    endOtherSessions: () => remove(SESSIONS_PATH),
    storedData: async () => JSON.stringify(await client.get(`${ME_PATH}/data`, { fresh: true }), null, 2),
    erase: () => remove(ME_PATH),
  };
}

/**
 * Returns the request id from the server's problem response, or null without one. The operator finds the request in the
 * server's log by this id.
 */
export function requestIdOf(thrown: unknown): string | null {
  if (!(thrown instanceof ApiError)) return null;
  const id = property(property(property(thrown.cause, 'response'), 'data'), 'requestId');
  return typeof id === 'string' ? id : null;
}
