import type { SessionPage } from '../../contract/api.ts';
import { sessionPage } from '../../contract/parse-account.ts';
import { ApiError } from './api-error.ts';
import type { Client } from './types.ts';

/** The calls about the reader's own account, which few make. */
export interface AccountApi {
  sessions(): Promise<SessionPage>;
  /** Ends one of the reader's sessions. */
  end(id: string): Promise<void>;
  /** Ends all of the reader's sessions but this one. */
  endOthers(): Promise<void>;
  /** Everything that the server keeps of the reader, as JSON to be read by people. */
  kept(): Promise<string>;
  /** Erases the reader from the server, with every session. */
  erase(): Promise<void>;
}

const ME = '/api/me';
const SESSIONS = `${ME}/sessions`;

export function createAccountApi(client: Client): AccountApi {
  const drop = async (path: string): Promise<void> => void (await client.write('delete', path, undefined, [ME]));
  return {
    sessions: async () => sessionPage(await client.get(SESSIONS, { fresh: true }), SESSIONS),
    end: (id) => drop(`${SESSIONS}/${encodeURIComponent(id)}`),
    endOthers: () => drop(SESSIONS),
    kept: async () => JSON.stringify(await client.get(`${ME}/data`, { fresh: true }), null, 2),
    erase: () => drop(ME),
  };
}

/** Gives the request's id that the server's problem names, by which those who run it find the request in its log; null without one. */
export function referenceOf(thrown: unknown): string | null {
  if (!(thrown instanceof ApiError)) return null;
  const id = property(property(property(thrown.cause, 'response'), 'data'), 'requestId');
  return typeof id === 'string' ? id : null;
}

const property = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
