// Script execution watcher: detects payloads that ran, or could run, in a page.

import type { BrowserContext, Page } from '../support/browser.ts';
import { CANARY } from './corpus.ts';

/** Detects payloads that ran, and those that could have run. */
export interface ScriptWatcher {
  /** Returns everything that ran so far in any frame: dialogs, requests to the canary, raised counters. */
  ran(page: Page): Promise<string[]>;
  /** Returns everything that was detected so far, and all elements in the page that could run code when a reader uses them. */
  found(page: Page): Promise<string[]>;
}

const VIOLATION_SCRIPT = `(() => {
  window.__refused = [];
  addEventListener('securitypolicyviolation', (event) => window.__refused.push(event.violatedDirective + ' ' + event.blockedURI), true);
})()`;

/**
 * Script that finds everything in the document and its shadow trees that no page of ours creates: an event handler in an
 * attribute, a URL that runs code, or an element that loads, frames or sends.
 */
const EXECUTABLE_SCRIPT = `(() => {
  const found = [];
  const runs = /^[\\u0000-\\u0020]*(j\\s*a\\s*v\\s*a\\s*s\\s*c\\s*r\\s*i\\s*p\\s*t|vbscript|data\\s*:\\s*text|data:image\\/svg\\+xml[^]*(onload|script)|blob:null|filesystem|view-source|feed|jar|file|intent)\\s*:?/i;
  const look = (root) => {
    for (const each of root.querySelectorAll('*')) {
      const tag = each.localName;
      if (/^(iframe|frame|object|embed|applet|base|portal|marquee|foreignobject|math|isindex|plaintext|xmp)$/i.test(tag)) found.push('<' + tag + '>');
      if (tag === 'meta' && /refresh/i.test(each.httpEquiv)) found.push('<meta refresh>');
      if (tag === 'script' && /__ran|${CANARY}/.test(each.src + (/json/.test(each.type) ? '' : each.textContent))) found.push('<script>');
      for (const { name, value } of each.attributes) {
        if (/^on/i.test(name)) found.push(tag + ' ' + name);
        if (/^(href|src|action|formaction|data|poster|xlink:href|ping)$/i.test(name) && runs.test(value)) found.push(tag + ' ' + name + '=' + value.slice(0, 60));
        if (/^(src|srcset|poster|style|ping|background|action)$/i.test(name) && value.includes('${CANARY}')) found.push(tag + ' ' + name + '=' + value.slice(0, 60));
      }
      if (tag === 'a' && !/^(https?|mailto|tel|tg|):$/.test(each.protocol)) found.push('a to ' + each.protocol);
      if (each.shadowRoot !== null) look(each.shadowRoot);
    }
  };
  look(document);
  return [...found, ...(window.__refused ?? [])];
})()`;

/**
 * Watches all pages of a context from now on: scripts that run, dialogs, rejections by a policy, and requests to the canary.
 */
export async function watchScripts(context: BrowserContext): Promise<ScriptWatcher> {
  const seen: string[] = [];
  const faults: string[] = [];
  await context.addInitScript(VIOLATION_SCRIPT);
  context.on('request', (request) => {
    if (new URL(request.url()).hostname === CANARY) seen.push(`asked ${request.url()}`);
  });
  context.on('page', (page) => {
    page.on('dialog', (dialog) => {
      seen.push(`dialog ${dialog.message()}`);
      void dialog.dismiss().catch(() => {});
    });
    page.on('pageerror', (error) => faults.push(`uncaught ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to|TypeError|SyntaxError/.test(message.text())) faults.push(message.text());
    });
  });
  // A removed frame contains nothing.
  const inFrames = async <Found>(page: Page, script: string): Promise<Found[]> =>
    (await Promise.all(page.frames().map((frame) => frame.evaluate<Found[]>(script).catch(() => [])))).flat();
  const ran = async (page: Page) => [...seen, ...(await inFrames<string>(page, `window.__ran ? ['ran ' + window.__ran] : []`))];
  return {
    ran,
    found: async (page) => [...(await ran(page)), ...faults, ...(await inFrames<string>(page, EXECUTABLE_SCRIPT))],
  };
}
