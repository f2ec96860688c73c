import { FILES, SHELL } from './precache-manifest.ts';

/** The shell as text while the worker lives: what is left when somebody deletes every cache. */
let remembered: { readonly text: string; readonly headers: [string, string][] } | null = null;
let queue: Promise<unknown> = Promise.resolve();

/**
 * Writes a complete copy of the app under a new name, which ends in its shell's path, and gives the name. The shell goes last:
 * a copy that has it is whole.
 * A copy that cannot be finished is deleted. Copies are written one after the other, never shared: each tab deletes what it
 * noted before it asked, so what it asked for must be younger than that.
 *
 * `mode` is how files without a hash in their name are read: 'no-cache' asks the server whether they changed.
 */
export function writeCopy(mode: RequestCache): Promise<string> {
  const written = queue.then(() => writeNow(`changer-${crypto.randomUUID()}${SHELL}`, mode));
  queue = written.catch(() => undefined);
  return written;
}

async function writeNow(name: string, mode: RequestCache): Promise<string> {
  try {
    const cache = await caches.open(name);
    await Promise.all(
      FILES.map(async ({ url, revision }) => cache.put(url, await fetchWhole(url, revision === null ? 'force-cache' : mode))),
    );
    const shell = await fetchWhole(SHELL, 'force-cache');
    await remember(shell.clone());
    await cache.put(SHELL, shell);
    return name;
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

async function fetchWhole(url: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(url, { cache, credentials: 'same-origin' });
  if (!response.ok || response.redirected) throw new Error(`${url} answered ${response.status}`);
  return response;
}

async function remember(shell: Response): Promise<void> {
  remembered = { headers: [...shell.headers], text: await shell.text() };
}

/** Says whether a whole copy is in the caches. */
export const hasCopy = async (): Promise<boolean> => (await held(SHELL)) !== undefined;

/**
 * Finds a file in any copy. The stored answers are ours alone, so what they vary by does not matter. A storage that fails, as
 * on a full or broken disk, holds nothing: the network may still answer.
 */
export const held = (request: Request | string): Promise<Response | undefined> =>
  caches.match(request, { ignoreVary: true }).catch(() => undefined);

/**
 * Finds the shell for a page: in a copy; without one the network knows best, since a shell that is only remembered may name
 * files that no server has any more; and where the network has gone, in memory or in the browser's HTTP cache.
 */
export async function findShell(page: Request): Promise<Response> {
  const copy = await held(SHELL);
  if (copy !== undefined) return copy;
  const answer = await fetch(page).catch(() => null);
  if (answer !== null && answer.status < 500) return answer;
  if (remembered !== null) return new Response(remembered.text, { headers: remembered.headers });
  return fetchWhole(SHELL, 'force-cache').catch((error: unknown) => answer ?? Promise.reject(error));
}

/**
 * Finds the shell of the build that waits to take this one's place: one that is not ours, in the youngest copy that has it.
 * No copy is opened, since to open one that is deleted meanwhile would make it anew, and empty.
 */
export async function findNextShell(): Promise<Response | undefined> {
  for (const cacheName of (await caches.keys()).reverse()) {
    const shell = cacheName.slice(cacheName.indexOf('/'));
    if (!shell.endsWith('.html') || shell === SHELL) continue;
    const found = await caches.match(shell, { cacheName, ignoreVary: true });
    if (found !== undefined) return found;
  }
  return undefined;
}
