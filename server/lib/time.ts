import { setTimeout as wait } from 'node:timers/promises';

/** How long who watches over the server, or opens a page, waits for the store, ms. */
export const SOON = 2000;

/** Gives what comes soon, else fails: what is late goes on by itself, and what becomes of it is nobody's. */
export async function soon<Value>(coming: Promise<Value>): Promise<Value> {
  const end = new AbortController();
  const late = wait(SOON, undefined, { signal: end.signal }).then(() => {
    throw Object.assign(new Error('The store did not answer soon.'), { code: 'DATABASE_SILENT' });
  });
  return Promise.race([coming, late]).finally(() => end.abort());
}
