import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { DATA, FLOOR, FRAME, inlineScript, outputOf, staticClosure } from './app-bundle.mjs';
import { readStyles } from './css-text.mjs';
import { noScriptElement } from './no-script.mjs';

/**
 * Fills the template index.html: the early script and the document's style inline, the text for browsers without scripts, then
 * the app's module script with what every page loads, the frame first, so that none of it waits for another's arrival. Returns the
 * hashes that the Content-Security-Policy must allow, and the script that goes with what the server draws. `<!--brand-->` is left to the server.
 */
export async function buildShell(metafile) {
  // Telegram may call before the app has loaded.
  const script = await inlineScript('src/app/inline/early.ts');
  const takeOver = await inlineScript('src/app/inline/handover.ts');
  const { text: style } = await readStyles('src/app/inline/document.css', FLOOR);
  const main = basename(outputOf(metafile, 'src/main.ts'));
  const chunks = [...staticClosure(metafile, [...FRAME, ...DATA])].map((path) => basename(path));
  const preloads = chunks.filter((name) => name !== main).map((name) => `<link rel="modulepreload" href="/assets/${name}">`);
  const parts = {
    early: `<script>${script}</script>`,
    style: `<style>${style}</style>`,
    noscript: await noScriptElement(),
    script: [`<script type="module" src="/assets/${main}"></script>`, ...preloads].join('\n    '),
  };
  const template = await readFile('index.html', 'utf8');
  const html = template.replace(/<!--(early|style|noscript|script)-->/g, (_, name) => parts[name]);
  const missing = Object.keys(parts).filter((name) => !template.includes(`<!--${name}-->`));
  if (missing.length > 0) throw new Error(`build: index.html has no ${missing.map((name) => `<!--${name}-->`).join(', ')}`);
  return { html, takeOver, hashes: [hash(script), hash(style), hash(takeOver)] };
}

const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
