import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { BROWSER_TARGETS, buildInlineScript, DATA_ENTRIES, FRAME_ENTRIES, findOutput, staticClosure } from './app-bundle.mjs';
import { readStyles } from './css-text.mjs';
import { noScriptElement } from './no-script.mjs';

/**
 * HTML shell: fills the template `index.html` with the early script and the document's style inline, the text for
 * browsers without scripts, the handover script, and the app's module script with preloads of the chunks that every page
 * needs. The chunks of the frame come first. With the preloads, no chunk waits for another. Returns the HTML, and the
 * hashes that the Content-Security-Policy must allow. The server replaces `<!--brand-->`, and the server or the service worker
 * `<!--data-->`.
 */
export async function buildShell(metafile) {
  // Telegram may call functions of the page before the app has loaded.
  const script = await buildInlineScript('src/app/inline/early.ts');
  const handoverScript = await buildInlineScript('src/app/inline/handover.ts');
  const { text: style } = await readStyles('src/app/inline/document.css', BROWSER_TARGETS);
  const main = basename(findOutput(metafile, 'src/main.ts'));
  const chunks = [...staticClosure(metafile, [...FRAME_ENTRIES, ...DATA_ENTRIES])].map((path) => basename(path));
  const preloads = chunks.filter((name) => name !== main).map((name) => `<link rel="modulepreload" href="/assets/${name}">`);
  const parts = {
    early: `<script>${script}</script>`,
    style: `<style>${style}</style>`,
    noscript: await noScriptElement(),
    handover: `<script>${handoverScript}</script>`,
    script: [`<script type="module" src="/assets/${main}"></script>`, ...preloads].join('\n    '),
  };
  const template = await readFile('index.html', 'utf8');
  const html = template.replace(/<!--(early|style|noscript|handover|script)-->/g, (_, name) => parts[name]);
  const missing = Object.keys(parts).filter((name) => !template.includes(`<!--${name}-->`));
  if (missing.length > 0) throw new Error(`build: index.html has no ${missing.map((name) => `<!--${name}-->`).join(', ')}`);
  return { html, hashes: [cspHash(script), cspHash(style), cspHash(handoverScript)] };
}

/** Returns the hash of an inline script or style for the Content-Security-Policy. */
const cspHash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
