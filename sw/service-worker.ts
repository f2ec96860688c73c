/*
 * The service worker opens the app offline, and has its part in the rule that the app deletes every cache entry when the
 * worker is ready: the page notes the caches that are there and asks for `refresh`; the worker writes a complete copy under a
 * new name; only then does the page delete what it noted. Offline the refresh fails, and nothing goes.
 *
 * Anybody may delete every cache at any moment (the browser's own tools do). So no cache is trusted to be there: each answer
 * falls back to the browser's HTTP cache and the network, and a lost copy is written anew at the next navigation.
 *
 * A new build waits until no page of the app is open. Open pages stay what they are, and any worker serves them their files,
 * from any copy or the network; the next navigation, which is the reader's own act, gets the new build's shell. The waiting
 * worker never calls skipWaiting: Chromium then stops the active worker in the middle of a fetch event, and a navigation whose
 * event was stopped is not answered for minutes.
 */

import { FILES } from './precache-manifest.ts';
import { findNextShell, findShell, hasCopy, held, writeCopy } from './shell-cache.ts';

declare const self: ServiceWorkerGlobalScope;

/** Addresses of the server's own; any other navigation is the app's. */
const SERVED =
  /^\/(api|assets|media|elements|feeds|dev|oembed|healthz|metrics|privacy|sitemap)(\/|\.|$)|\.(txt|xml|json|js|png|svg|ico|webmanifest)$/;

self.addEventListener('install', (event) => event.waitUntil(writeCopy('no-cache')));

// A page of the version before may have deleted our copy while we waited. Without one we still work, from the HTTP cache.
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), mend()])));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate' && !SERVED.test(url.pathname)) {
    event.respondWith(findPage(request));
    if (self.registration.waiting === null) event.waitUntil(mend());
  } else if (url.pathname.startsWith('/assets/') && request.mode !== 'navigate') {
    // What has a hash never changes, yet a reload would ask the server about it.
    event.respondWith(held(request).then((response) => response ?? fetch(request, { cache: 'force-cache' })));
  }
});

self.addEventListener('message', (event) => {
  const told = (name: string): unknown => Reflect.get(Object(event.data), name);
  const type = told('type');
  if (type === 'refresh') event.waitUntil(refresh(event.ports[0]));
  if (type === 'has') event.ports[0]?.postMessage(FILES.some(({ url }) => url === told('path')));
});

async function findPage(request: Request): Promise<Response> {
  const next = self.registration.waiting === null ? undefined : await findNextShell().catch(() => undefined);
  return next ?? findShell(request);
}

/** The server must answer first: the HTTP cache alone could make a copy, and then something would be deleted offline. */
async function refresh(port: MessagePort | undefined): Promise<void> {
  try {
    await fetch('/healthz', { cache: 'no-store' });
    port?.postMessage({ complete: true, name: await writeCopy('force-cache') });
  } catch {
    port?.postMessage({ complete: false, name: null });
  }
}

/** Offline this may fail; the next navigation tries again. */
async function mend(): Promise<void> {
  if (!(await hasCopy())) await writeCopy('force-cache').catch(() => undefined);
}
