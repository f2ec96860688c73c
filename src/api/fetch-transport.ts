/*
 * The HTTP client of tags on foreign pages: it reads what anyone may, without credentials, and takes a sixth of what the app's
 * own (http.ts) would cost the site. Errors and the time that an answer holds are the same.
 */

import { ApiError, toApiError } from './api-error.ts';
import { toQuery } from './query-string.ts';
import { mayServeStale, TIME_TO_LIVE } from './response-cache.ts';
import { type ClientOptions, type Http, TOKEN_HEADER } from './types.ts';

/** An answer, until when it is fresh, unix ms. */
interface Held {
  readonly until: number;
  readonly body: unknown;
}

/** Answers held; the oldest goes first. */
const MOST = 256;

export function createOpenHttp({ baseUrl }: ClientOptions): Http {
  const held = new Map<string, Held>();
  const underWay = new Map<string, Promise<unknown>>();
  // An answer that was under way when all were forgotten is not held.
  let generation = 0;

  async function fetchNew(url: string, key: string, token: string | null, signal: AbortSignal | undefined): Promise<unknown> {
    const began = generation;
    const headers = token === null ? {} : { [TOKEN_HEADER]: token };
    try {
      const { body, mayHold } = await read(url, { headers, credentials: 'omit', signal: signal ?? null });
      if (mayHold && began === generation) hold(key, body);
      return body;
    } catch (thrown) {
      const error =
        thrown instanceof ApiError ? thrown : toApiError({ request: url, ...(signal?.aborted && { code: 'ERR_CANCELED' }) });
      const stale = held.get(key);
      if (stale !== undefined && !error.cancelled && mayServeStale(error.status ?? undefined, null)) return stale.body;
      throw error;
    }
  }
  function hold(key: string, body: unknown): void {
    held.delete(key);
    held.set(key, { until: Date.now() + TIME_TO_LIVE, body });
    for (const oldest of held.keys()) if (held.size > MOST) held.delete(oldest);
  }

  return {
    send(request, token) {
      if (request.method !== 'get') throw new ApiError('A tag on another site only reads', null);
      const { path, params = {}, signal, fresh = false } = request;
      const query = toQuery(params);
      const url = baseUrl + path + (query && `?${query}`);
      const key = `${url} ${token ?? ''}`;
      const answer = held.get(key);
      if (!fresh && answer !== undefined && answer.until > Date.now()) return Promise.resolve(answer.body);
      const asked = underWay.get(key);
      if (!fresh && asked !== undefined) return asked;
      const reading = fetchNew(url, key, token, signal);
      // What one asker may cancel is no other's answer.
      if (signal === undefined) {
        underWay.set(key, reading);
        const done = () => void underWay.delete(key);
        reading.then(done, done);
      }
      return reading;
    },
    forget() {
      generation++;
      held.clear();
      underWay.clear();
    },
  };
}

async function read(url: string, options: RequestInit): Promise<{ readonly body: unknown; readonly mayHold: boolean }> {
  const answer = await fetch(url, options);
  const body = parse(await answer.text());
  if (answer.ok) return { body, mayHold: !/no-store/.test(answer.headers.get('cache-control') ?? '') };
  const error = new Error(`Request failed with status code ${answer.status}`);
  throw toApiError(Object.assign(error, { response: { status: answer.status, data: body } }));
}

/** What is no JSON is for the parsers of contract/ to refuse. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
