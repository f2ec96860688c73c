// Server-rendered tags: records the prerendered HTML of tags and checks that their own content replaces it.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/**
 * Script that runs before any other script of a page. It records the server-rendered content that each tag shows last: the
 * texts of its first posts, by the name of the tag. `[hidden]` stands for a line that is hidden until its date is localized.
 */
export const RECORD_PRERENDERED_SCRIPT = `
  window.drawings = {};
  const visibleText = (post) => {
    const copy = post.cloneNode(true);
    for (const line of copy.querySelectorAll('.post-facts[style]')) line.textContent = '[hidden]';
    return copy.textContent;
  };
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init);
    new MutationObserver(() => {
      const drawn = root.querySelector('.drawn');
      const posts = [...(drawn?.querySelectorAll('article, .row') ?? [])].slice(0, 5);
      if (drawn !== null) window.drawings[this.localName] = posts.map(visibleText);
    }).observe(root, { childList: true, subtree: true, attributeFilter: ['style'] });
    return root;
  };
`;

/** Returns the recorded server-rendered texts of a tag; undefined if it had none. */
export const prerenderedTexts = (page: Page, tag: string): Promise<string[] | undefined> =>
  page.evaluate((name) => (Reflect.get(window, 'drawings') as Record<string, string[]>)[name], tag);

/** Returns the texts of the first posts that a tag shows. */
export const shownTexts = (page: Page, tag: string): Promise<string[]> =>
  page.evaluate((name) => {
    const root = document.querySelector(name)?.shadowRoot;
    return [...(root?.querySelectorAll('article, .row') ?? [])].slice(0, 5).map((shown) => shown.textContent ?? '');
  }, tag);

/** Waits until a tag shows its own content and its server-rendered HTML is removed. */
export async function waitUntilReplaced(page: Page, tag: string): Promise<void> {
  await page.waitForFunction((name) => {
    const root = document.querySelector(name)?.shadowRoot;
    return root?.querySelector('.drawn') === null && root.querySelector('article, .row') !== null;
  }, tag);
}

/**
 * Returns the requests of a tag for a first page. The server-rendered HTML contains those responses. The dial reads channels
 * ahead by itself.
 */
export const firstPageRequests = (requests: readonly string[], tag: string): string[] =>
  requests.filter(
    (url) => /\/api\//.test(url) && !/[?&](before|after)=/.test(url) && !(tag === 'changer-dial' && isReadAhead(url)),
  );

const isReadAhead = (url: string): boolean => /\/api\/channels\/\d+\/posts\?limit=20$/.test(url);

/**
 * Asserts that a tag showed its server-rendered HTML until its own content was ready, requested none of it again, and logged
 * nothing.
 */
export async function assertPrerenderedReplaced(
  page: Page,
  tag: string,
  requests: readonly string[],
  logs: readonly string[],
): Promise<void> {
  await waitUntilReplaced(page, tag);
  const prerendered = await prerenderedTexts(page, tag);
  assert.equal(prerendered?.length, tag === 'changer-post' ? 1 : 5);
  const shown = await shownTexts(page, tag);
  assert.equal(shown.length, prerendered?.length);
  for (const [index, text] of shown.entries()) assertSameText(text, prerendered?.[index] ?? '');
  assert.equal(requests.filter(isPrerenderRequest).length, 1);
  assert.deepEqual(firstPageRequests(requests, tag), []);
  assert.deepEqual(logs, []);
}

/** Asserts that a post shows its server-rendered text. The line of the date may still be hidden in that text. */
function assertSameText(shown: string, prerendered: string): void {
  const [start = '', end] = prerendered.split('[hidden]');
  if (end === undefined) assert.equal(shown, prerendered);
  else assert.ok(shown.startsWith(start) && shown.endsWith(end), `${shown} instead of ${prerendered}`);
}

export const isPrerenderRequest = (url: string): boolean => url.includes('/elements/drawn/');

/** Returns the markup of the tags that the server renders, with `attributes` in addition to their own. */
export const prerenderedTags = (channel: string, post: number, attributes = ''): Readonly<Record<string, string>> => ({
  'changer-channel': `<changer-channel channel-id="${channel}" limit="5" ${attributes}></changer-channel>`,
  'changer-dial': `<changer-dial ${attributes}></changer-dial>`,
  'changer-feed': `<changer-feed limit="5" ${attributes}></changer-feed>`,
  'changer-post': `<changer-post channel-id="${channel}" post-id="${post}" ${attributes}></changer-post>`,
  'changer-search': `<changer-search q="the" limit="5" ${attributes}></changer-search>`,
});

export const PRERENDERED_TAGS = Object.keys(prerenderedTags('', 0));
