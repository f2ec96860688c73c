// npm package end to end: a site that bundles the tags.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build, type Format } from 'esbuild';
import { type Browser, launchBrowser, listen, type Page } from '../support/browser.ts';
import { install, pack } from '../support/package.ts';
import {
  assertPrerenderedReplaced,
  PRERENDERED_TAGS,
  prerenderedTags,
  RECORD_PRERENDERED_SCRIPT,
} from '../support/prerendered-tags.ts';
import { type RunningServer, startServer } from '../support/server.ts';

describe('a site that bundles the tags from npm', () => {
  let folder: string;
  let server: RunningServer;
  let browser: Browser;
  let channel: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'changer-site-'));
    const tarball = await pack(folder);
    await install(tarball, join(folder, 'site'));
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const { items } = await (await fetch(`${server.origin}/api/channels`)).json();
    channel = items[0].id;
  });
  after(async () => {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Bundles a script of the site as the site would, and opens a page with it. */
  async function open(
    script: string,
    markup: string,
    format: Format,
    action: (page: Page, consoleLines: string[], requestedUrls: readonly string[]) => Promise<void>,
  ) {
    const entry = join(folder, 'site', 'main.js');
    await writeFile(entry, script);
    const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format, write: false, logLevel: 'silent' });
    const site = await serve(outputFiles[0]?.text ?? '', markup);
    const page = await browser.newPage();
    const consoleLines = listen(page);
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.addInitScript(RECORD_PRERENDERED_SCRIPT);
    try {
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
      await action(page, consoleLines, requestedUrls);
    } finally {
      await page.close();
      site.close();
    }
  }

  const FAILURE_RECORDER = `<script>window.told = []; addEventListener('changer-failed', ({ target, detail }) => told.push([target.localName, detail.message]));</script>`;

  async function serve(script: string, markup: string): Promise<Server> {
    const site = createServer((request, response) => {
      const isScript = request.url === '/main.js';
      response.setHeader('content-type', isScript ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8');
      const page = `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,">${FAILURE_RECORDER}${markup}<script type="module" src="/main.js"></script>`;
      response.end(isScript ? script : page);
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    return site;
  }

  // The code of a classic script does not know its own URL.
  for (const format of ['esm', 'iife'] as const) {
    it(`shows a channel of the server in the \`api\` attribute, as ${format}`, async () => {
      const markup = `<changer-channel channel-id="${channel}" api="${server.origin}">By hand</changer-channel>`;
      await open(`import 'channel-changer/elements/changer-channel';`, markup, format, async (page, consoleLines) => {
        await page.locator('changer-channel article').first().waitFor();
        assert.deepEqual(await page.evaluate('told'), []);
        assert.deepEqual(consoleLines, []);
      });
    });

    it(`keeps the children and dispatches an event with the reason without \`api\`, as ${format}`, async () => {
      const markup = `<changer-channel channel-id="${channel}"><p>By hand</p></changer-channel><changer-feed><p>Too</p></changer-feed>`;
      await open(`import 'channel-changer/elements';`, markup, format, async (page, consoleLines) => {
        await page.waitForFunction('told.length === 2');
        const failures = (await page.evaluate('told')) as [string, string][];
        assert.deepEqual(failures.map(([tag]) => tag).sort(), ['changer-channel', 'changer-feed']);
        for (const [, message] of failures) assert.match(message, /needs an api attribute/);
        assert.ok(await page.getByText('By hand').isVisible());
        assert.ok(await page.getByText('Too').isVisible());
        assert.deepEqual(consoleLines, []);
      });
    });
  }

  for (const tag of PRERENDERED_TAGS)
    it(`shows the server-rendered HTML until its own content is ready, and does not fetch it again: <${tag}>`, async () => {
      const { items } = await (await fetch(`${server.origin}/api/channels/${channel}/posts?limit=1`)).json();
      const markup = prerenderedTags(channel, items[0].id, `api="${server.origin}"`)[tag] ?? assert.fail(tag);
      // The code of a classic script does not know its own URL.
      const format = tag === 'changer-feed' ? 'iife' : 'esm';
      await open(`import 'channel-changer/elements/${tag}';`, markup, format, async (page, consoleLines, requestedUrls) => {
        await assertPrerenderedReplaced(page, tag, requestedUrls, consoleLines);
      });
    });

  it('matches custom-elements.json: attributes, properties, events and parts', async () => {
    const manifestPath = join(folder, 'site/node_modules/channel-changer/custom-elements.json');
    const manifest: Manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
    const markup = `${EVENT_RECORDER}<changer-channel channel-id="${channel}" api="${server.origin}" limit="no"></changer-channel>
      <changer-feed></changer-feed><changer-search api="${server.origin}" q="a"></changer-search>`;
    await open(`import 'channel-changer/elements';`, markup, 'esm', async (page) => {
      await page.locator('changer-channel article').first().waitFor();
      await page.waitForFunction(() => Reflect.get(window, 'told').length > 0);
      await page.locator('changer-channel .post-facts a').first().click();
      for (const { declarations } of manifest.modules)
        for (const { tagName, attributes, members } of declarations) {
          const runtime = await page.evaluate((tag) => {
            const Tag = customElements.get(tag) as (CustomElementConstructor & { observedAttributes: string[] }) | undefined;
            return Tag && { observed: Tag.observedAttributes, own: Object.keys(Tag.prototype) };
          }, tagName);
          assert.ok(runtime, tagName);
          // Spellings that frameworks derive from a property name are accepted, but not documented.
          const observedNames = runtime.observed.filter((name) => !['channelid', 'postid'].includes(name));
          assert.deepEqual(namesOf(attributes), observedNames.sort(), tagName);
          assert.deepEqual(
            namesOf(members.filter(({ name }) => !['lang', 'dir'].includes(name))),
            [...runtime.own].sort(),
            tagName,
          );
        }
      const [{ events, cssParts } = { events: [], cssParts: [] }] = manifest.modules.flatMap(({ declarations }) => declarations);
      const fields = new Map(
        events.map(({ name, type }) => [name, [...type.text.matchAll(/(\w+):/g)].map(([, field]) => field)]),
      );
      const dispatchedEvents = (await page.evaluate('noted')) as [string, string[]][];
      for (const [name, detailFields] of dispatchedEvents) assert.deepEqual(detailFields, fields.get(name), name);
      for (const name of ['changer-failed', 'changer-attribute-refused', 'changer-loaded', 'changer-post-opened'])
        assert.ok(
          dispatchedEvents.some(([type]) => type === name),
          name,
        );
      const parts = await page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((tag) =>
          [...(tag.shadowRoot?.querySelectorAll('[part]') ?? [])].flatMap((part) => [...part.part]),
        ),
      );
      for (const part of parts) assert.ok(namesOf(cssParts).includes(part), part);
    });
  });
});

/** Script that records every event of a tag, with its fields. */
const EVENT_RECORDER = `<script>window.noted = [];
  const tell = EventTarget.prototype.dispatchEvent;
  EventTarget.prototype.dispatchEvent = function (event) {
    if (event.type.startsWith('changer-')) noted.push([event.type, Object.keys(event.detail)]);
    return tell.call(this, event);
  };</script>`;

interface NamedItem {
  readonly name: string;
}

interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly {
      readonly tagName: string;
      readonly attributes: readonly NamedItem[];
      readonly members: readonly NamedItem[];
      readonly events: readonly { readonly name: string; readonly type: { readonly text: string } }[];
      readonly cssParts: readonly NamedItem[];
    }[];
  }[];
}

const namesOf = (items: readonly NamedItem[]): string[] => items.map(({ name }) => name).sort();
