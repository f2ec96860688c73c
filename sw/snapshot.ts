/* Page snapshots: inserts what the reader saw on a page at the last visit into the shell (src/app/snapshot). */
import { appAddress } from '../src/lib/links.ts';
import { findPageSnapshot } from '../src/storage/page-snapshots.ts';

/** Place of the data in the shell (index.html). A page that the server rendered does not have it. */
const DATA_PLACEHOLDER = '<!--data-->';
/** The app's script in the shell, and the preloads of its chunks. */
const SCRIPTS_PATTERN = /<script type="module"[^>]*><\/script>(\s*<link rel="modulepreload"[^>]*>)*/;
/** Delays the first paint until the snapshot is inserted; otherwise the browser may paint an empty frame first. */
const RENDER_BLOCKER = '<link rel="expect" href="#end" blocking="render">';
const RENDER_BLOCKER_END = '<template id="end"></template>';
/** Timeout, ms. A database that is blocked or broken may never open, and the page must not wait for it. */
const READ_TIMEOUT_MS = 500;

/** Reads the snapshot (JSON) of a page; null if there is none, or if the storage fails. */
export function readSnapshot(url: URL): Promise<string | null> {
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, READ_TIMEOUT_MS, null));
  return Promise.race([findPageSnapshot(appAddress(url)), timeout]).catch(() => null);
}

/**
 * Inserts a snapshot into the shell, and holds back the app's scripts until it is painted. The page's inline script decides
 * whether the snapshot is valid, and starts the scripts (src/app/inline).
 */
export async function insertSnapshot(shell: Response, snapshot: string | null): Promise<Response> {
  if (snapshot === null || !shell.ok) return shell;
  const html = await shell.text();
  const headers = new Headers(shell.headers);
  // They describe the body as it was transferred.
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name);
  // Text like `</script` would end the element.
  const data = `<script type="application/json" id="snapshot">${snapshot.replaceAll('<', '\\u003c')}</script>`;
  return new Response(
    html
      .replace('<head>', `<head>${RENDER_BLOCKER}`)
      .replace('</body>', `${RENDER_BLOCKER_END}</body>`)
      .replace(DATA_PLACEHOLDER, () => data)
      .replace(SCRIPTS_PATTERN, (scripts) => `<template id="scripts">${scripts}</template>`),
    { headers },
  );
}
