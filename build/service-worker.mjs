import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { injectManifest } from 'workbox-build';
import { BROWSER_TARGETS } from './app-bundle.mjs';

/**
 * Service worker build: bundles the worker to `<web>/sw.js` and injects the list of files to precache: the app's
 * `outputs` and the icons. Returns the metafile.
 */
export async function buildWorker(web, outputs) {
  const scripts = outputs.filter((path) => path.endsWith('.js')).map((path) => relative(web, path));
  const bundlePath = join(web, 'sw.bundle.js');
  const { metafile } = await build({
    entryPoints: ['sw/service-worker.ts'],
    outfile: bundlePath,
    bundle: true,
    format: 'iife',
    target: BROWSER_TARGETS,
    define: { __API_URL__: JSON.stringify(process.env.API_URL ?? '') },
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const { warnings } = await injectManifest({
    swSrc: bundlePath,
    swDest: join(web, 'sw.js'),
    globDirectory: web,
    globPatterns: [...scripts, '*.png', '*.svg'],
    dontCacheBustURLsMatching: /^\/assets\//,
    modifyURLPrefix: { '': '/' },
    manifestTransforms: [(entries) => ({ manifest: entries.sort((a, b) => (a.url < b.url ? -1 : 1)), warnings: [] })],
  });
  if (warnings.length > 0) throw new Error(`build: the precache manifest of the worker: ${warnings.join('; ')}`);
  await rm(bundlePath);
  return metafile;
}
