// Fuzz check of published posts: HTML and feeds contain nothing that runs.

import assert from 'node:assert/strict';
import { Parser } from 'htmlparser2';
import type { Channel } from '../../contract/channel.ts';
import type { Post } from '../../contract/post.ts';
import { writeAtom } from '../../server/publishing/feeds/atom.ts';
import { channelFeed, createFeedEntry, DEFAULT_FEED_LIMIT } from '../../server/publishing/feeds/feed.ts';
import { writeJsonFeed } from '../../server/publishing/feeds/json-feed.ts';
import { writeRss } from '../../server/publishing/feeds/rss.ts';
import { jsonLd, postJsonLd } from '../../server/publishing/pages/json-ld.ts';
import { parseFeedDocument } from '../../server/sources/rss/parse/parse-feed.ts';

export const ORIGIN = 'https://changer.example';

/** Elements that run, load, frame, render or send. No post ever produces one of them. */
const EXECUTABLE =
  /^(script|style|iframe|frame|object|embed|svg|math|base|meta|link|form|input|button|template|noscript|plaintext|xmp)$/;
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'poster']);
const ALLOWED_URL = /^(https?:|mailto:|tel:|tg:|\/|#)/;

/** Checks that nothing in an HTML text runs, and that every element is closed in the right order. */
export function checkHarmless(html: string): void {
  const open: string[] = [];
  new Parser(
    {
      onopentag(tag, attributes, implied) {
        assert.doesNotMatch(tag, EXECUTABLE, html);
        if (!implied) open.push(tag);
        for (const [name, value] of Object.entries(attributes)) {
          assert.doesNotMatch(name, /^on|^style$|^srcdoc$|[^a-z-]/, html);
          if (ADDRESSES.has(name)) assert.match(value, ALLOWED_URL, html);
        }
      },
      onclosetag: (tag) => assert.equal(open.pop(), tag, html),
      oncomment: () => assert.fail(`a comment: ${html}`),
    },
    { decodeEntities: true },
  ).end(html);
}

/** XML has only one line ending (XML 1.0, section 2.11). HTML treats all of them the same. */
const normalizeLineEndings = (html: string): string => html.trim().replace(/\r\n?/g, '\n');

/**
 * Publishes a post in every format. Checks that each can be parsed again and contains exactly the HTML, in which nothing runs.
 */
export function checkPublished(published: Post, channel: Channel = CHANNEL): void {
  const post: Post = { ...published, media: published.media.map((item) => ({ ...item, src: '/media/abc.jpg' })) };
  const entry = createFeedEntry(post, channel, ORIGIN);
  checkHarmless(entry.html);
  const data = jsonLd(postJsonLd(post, channel, ORIGIN));
  assert.match(data, /^<script type="application\/ld\+json">[^<>&]*<\/script>$/);
  assert.ok(JSON.parse(data.slice(data.indexOf('>') + 1, -'</script>'.length)));
  const feed = {
    ...channelFeed(channel, ORIGIN),
    entries: [entry],
    updated: entry.updated,
    page: { limit: DEFAULT_FEED_LIMIT },
    next: null,
  };
  for (const write of [writeRss, writeAtom, writeJsonFeed]) {
    const [item] = parseFeedDocument(write(feed), `${ORIGIN}/feeds/a.rss`).items;
    assert.ok(item !== undefined, write.name);
    const html = item.content !== null && 'html' in item.content ? item.content.html : '';
    assert.equal(normalizeLineEndings(html), normalizeLineEndings(entry.html), write.name);
  }
}

const CHANNEL: Channel = {
  ...{ id: '77', title: 'T]]><script>alert(1)</script>&"', username: 'town', about: '</title><svg/onload=alert(1)>' },
  ...{ source: 'bot', state: 'live', private: false, demo: false },
};
