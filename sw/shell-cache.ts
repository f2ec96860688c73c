/** Shell cache: complete copies of the app in the browser's Cache storage, for offline use. */
import { PRECACHE_FILES, SHELL_PATH } from './precache-manifest.ts';

/** The shell in memory while the worker lives: the fallback if every cache is deleted. */
let shellInMemory: { readonly text: string; readonly headers: [string, string][] } | null = null;
let writeQueue: Promise<unknown> = Promise.resolve();

/**
 * Writes a complete copy of the app under a new name, which ends with its shell's path, and returns the name. The shell
 * is written last: a copy that contains it is complete. A copy that cannot be finished is deleted. Copies are written
 * one after the other and never shared between tabs: each tab deletes the caches that it recorded before its request,
 * so the copy that it requested must be newer than those.
 *
 * `mode` is the cache mode for files without a hash in their name: 'no-cache' revalidates them at the server.
 */
export function writeCopy(mode: RequestCache): Promise<string> {
  const writing = writeQueue.then(() => writeCopyNow(`changer-${crypto.randomUUID()}${SHELL_PATH}`, mode));
  writeQueue = writing.catch(() => undefined);
  return writing;
}

async function writeCopyNow(name: string, mode: RequestCache): Promise<string> {
  try {
    const cache = await caches.open(name);
    await Promise.all(
      PRECACHE_FILES.map(async ({ url, revision }) =>
        cache.put(url, await fetchComplete(url, revision === null ? 'force-cache' : mode)),
      ),
    );
    const shell = await fetchComplete(SHELL_PATH, 'force-cache');
    await storeShellInMemory(shell.clone());
    await cache.put(SHELL_PATH, shell);
    return name;
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

async function fetchComplete(url: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(url, { cache, credentials: 'same-origin' });
  if (!response.ok || response.redirected) throw new Error(`${url} responded with ${response.status}`);
  return response;
}

async function storeShellInMemory(shell: Response): Promise<void> {
  shellInMemory = { headers: [...shell.headers], text: await shell.text() };
}

/** Returns true if the caches contain a complete copy. */
export const hasCopy = async (): Promise<boolean> => (await findCached(SHELL_PATH)) !== undefined;

/**
 * Finds a file in any copy. All stored responses are our own, so Vary headers do not matter. A storage that fails, for
 * example on a full or broken disk, counts as empty: the network may still respond.
 */
export const findCached = (request: Request | string): Promise<Response | undefined> =>
  caches.match(request, { ignoreVary: true }).catch(() => undefined);

/**
 * Finds the shell for a page. First choice is a copy. Without one, the network is better than the shell in memory,
 * which may name files that no server has any more. If the network fails, the shell comes from memory or from the
 * browser's HTTP cache.
 */
export async function findShell(page: Request): Promise<Response> {
  const copy = await findCached(SHELL_PATH);
  if (copy !== undefined) return copy;
  const response = await fetch(page).catch(() => null);
  if (response !== null && response.status < 500) return response;
  if (shellInMemory !== null) return new Response(shellInMemory.text, { headers: shellInMemory.headers });
  return fetchComplete(SHELL_PATH, 'force-cache').catch((error: unknown) => response ?? Promise.reject(error));
}

/**
 * Finds the shell of the build that waits to replace this one: a shell with another path, in the newest copy that has
 * one. The function does not open a cache by name, because opening one that was deleted in the meantime would create it
 * again, empty.
 */
export async function findNextShell(): Promise<Response | undefined> {
  for (const cacheName of (await caches.keys()).reverse()) {
    const shell = cacheName.slice(cacheName.indexOf('/'));
    if (!shell.endsWith('.html') || shell === SHELL_PATH) continue;
    const found = await caches.match(shell, { cacheName, ignoreVary: true });
    if (found !== undefined) return found;
  }
  return undefined;
}
