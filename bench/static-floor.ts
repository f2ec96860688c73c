// Floor of the page load benchmark: the posts of one channel as a static page with inline CSS and without a framework,
// and a service worker that serves it. No page of the app can be faster.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Post } from '../contract/post.ts';
import { escapeMarkup } from '../server/lib/markup.ts';

const STYLES = `
  :root { font: 1rem/1.5 system-ui, sans-serif; background: #f4f3f0; color: #1a1a1c }
  body { margin: 0 }
  main { max-width: 680px; margin: auto; padding: 16px }
  article { margin: 0 0 14px; padding: 20px; border: 1px solid #e2e0db; border-radius: 16px; background: #fff; overflow-wrap: anywhere }
  time { color: #666; font-size: .8rem }
  p { margin: 0 0 10px; white-space: pre-line }
  img { display: block; max-width: 100%; height: auto; border-radius: 14px }`;

const WORKER = `
  self.addEventListener('install', (event) => event.waitUntil(caches.open('floor').then((cache) => cache.add('/')).then(() => self.skipWaiting())));
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    if (event.request.mode === 'navigate') event.respondWith(caches.match('/').then((response) => response ?? fetch(event.request)));
  });`;

/** Maximum number of pictures that a post of the floor shows. */
const MAX_PICTURES = 4;

const renderPost = (post: Post, origin: string): string => {
  const date = new Date(post.date * 1000);
  const paragraphs = post.text.split('\n\n').map((text) => (text === '' ? '' : `<p>${escapeMarkup(text)}</p>`));
  const pictures = post.media
    .filter(({ type, src, width }) => type === 'photo' && src !== undefined && width !== undefined)
    .slice(0, MAX_PICTURES)
    .map(
      ({ src, width, height }) =>
        `<img loading="lazy" alt="" width="${width}" height="${height}" src="${origin}${escapeMarkup(src ?? '')}">`,
    );
  return `<article><time datetime="${date.toISOString()}">${date.toDateString()}</time>${paragraphs.join('')}${pictures.join('')}</article>`;
};

const renderPage = (posts: readonly Post[], origin: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Floor</title>
<style>${STYLES}</style>
<link rel="icon" href="data:,">
<main><h1>Channel</h1>${posts.map((post) => renderPost(post, origin)).join('\n')}</main>
<script>navigator.serviceWorker.register('/sw.js')</script>`;

/** Serves the floor of these posts, compressed with gzip. `origin` is that of their pictures. */
export async function serveFloor(
  posts: readonly Post[],
  origin: string,
): Promise<{ readonly url: string; stop(): Promise<void>; restart(): Promise<void> }> {
  const page = gzipSync(renderPage(posts, origin));
  const worker = gzipSync(WORKER);
  const server = createServer(({ url }, response) => {
    const isWorker = url === '/sw.js';
    const type = isWorker ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(isWorker ? worker : page);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    restart: () => listen(port),
  };
}
