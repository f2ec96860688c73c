/*
 * Service worker: opens the app offline, and takes part in replacing the caches. Rule: when the worker is ready, the
 * app deletes every older cache entry. The page records the caches that exist and sends `refresh`. The worker writes a
 * complete copy under a new name. Only then does the page delete the caches that it recorded. Offline the refresh
 * fails, and nothing is deleted.
 *
 * Any cache can be deleted at any moment (for example with the browser's own tools). So the worker never assumes that a
 * cache exists: each response falls back to the browser's HTTP cache and the network, and the next navigation writes a
 * deleted copy again.
 *
 * A new build waits until no page of the app is open. Open pages do not change, and any worker serves their files, from
 * any copy or the network. The next navigation is the reader's own action; it gets the new build's shell. The waiting
 * worker never calls skipWaiting: Chromium would stop the active worker in the middle of a fetch event, and a
 * navigation whose event was stopped gets no response for minutes.
 */

import { isAppPath } from './app-paths.ts';
import { openPath } from './open-path.ts';
import { PRECACHE_FILES } from './precache-manifest.ts';
import { dataOf, forgetCount, forgetDigest, handlePush } from './push.ts';
import { renewSubscription } from './renew-subscription.ts';
import { findCached, findNextShell, findShell, hasCopy, writeCopy } from './shell-cache.ts';
import { insertSnapshot, readSnapshot } from './snapshot.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => event.waitUntil(writeCopy('no-cache')));

// A page of the previous version may have deleted our copy while this worker waited. Without a copy the worker still
// works, from the HTTP cache.
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), restoreCopy()])));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate' && isAppPath(url.pathname)) {
    event.respondWith(findPage(request));
    if (self.registration.waiting === null) event.waitUntil(restoreCopy());
  } else if (url.pathname.startsWith('/assets/') && request.mode !== 'navigate') {
    // A file with a hash in its name never changes, but a reload would revalidate it at the server.
    event.respondWith(findCached(request).then((response) => response ?? fetch(request, { cache: 'force-cache' })));
  }
});

self.addEventListener('message', (event) => {
  const readField = (name: string): unknown => Reflect.get(Object(event.data), name);
  const type = readField('type');
  if (type === 'refresh') event.waitUntil(refreshCopy(event.ports[0]));
  if (type === 'has') event.ports[0]?.postMessage(PRECACHE_FILES.some(({ url }) => url === readField('path')));
});

self.addEventListener('push', (event) => event.waitUntil(handlePush(event.data?.text())));

self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(Promise.all([openPath(dataOf(notification)?.path ?? '/main'), forgetDigest(notification)]));
});

self.addEventListener('notificationclose', (event) => event.waitUntil(forgetCount(event.notification)));

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)));

/**
 * Returns the shell for a navigation: that of the waiting build if there is one, otherwise our own with the snapshot of the
 * page.
 */
async function findPage(request: Request): Promise<Response> {
  const snapshot = readSnapshot(new URL(request.url));
  const next = self.registration.waiting === null ? undefined : await findNextShell().catch(() => undefined);
  return next ?? insertSnapshot(await findShell(request), await snapshot);
}

/**
 * Writes a new copy for a page, and reports the result to `port`. Requires a response of the server first: the HTTP
 * cache alone could be enough to write a copy, and then the page would delete caches while offline.
 */
async function refreshCopy(port: MessagePort | undefined): Promise<void> {
  try {
    await fetch('/healthz', { cache: 'no-store' });
    port?.postMessage({ complete: true, name: await writeCopy('force-cache') });
  } catch {
    port?.postMessage({ complete: false, name: null });
  }
}

/** Writes the copy again if it was deleted. This may fail offline; the next navigation tries again. */
async function restoreCopy(): Promise<void> {
  if (!(await hasCopy())) await writeCopy('force-cache').catch(() => undefined);
}
