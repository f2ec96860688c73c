// Items of feeds: selection of files, and removal of duplicates.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeFeed, composeItems } from '../../../../server/sources/rss/items.ts';
import { parseFeedDocument } from '../../../../server/sources/rss/parse/parse-feed.ts';

const SITE = 'https://blog.example';
const NOW = 1_767_225_600;

const composedOf = (items: string) => {
  const document = `<rss version="2.0"><channel><title>Blog</title><link>${SITE}/</link>${items}</channel></rss>`;
  return composeItems(composeFeed(parseFeedDocument(document, `${SITE}/feed.xml`)).items, 'Blog', NOW);
};

describe('composeItems', () => {
  it('keeps the enclosed picture first if the text contains it again', async () => {
    const images = ['b', 'c', 'd', 'e', 'a-300x200'].map((name) => `&lt;img src="/${name}.jpg">`).join('');
    const [item] = await composedOf(
      `<item><title>T</title><description>${images}</description>
       <enclosure url="/a.jpg" type="image/jpeg" length="9"/></item>`,
    );
    assert.deepEqual(
      item?.files.map(({ url }) => url),
      ['a', 'b', 'c', 'd'].map((name) => `${SITE}/${name}.jpg`),
    );
    assert.equal(item?.files[0]?.size, 9);
  });

  it('orders items by date, and uses the oldest of several with the same link', async () => {
    const itemOf = (title: string, link: string, day: number) =>
      `<item><title>${title}</title><link>${SITE}/${link}</link><pubDate>2024-01-0${day}T12:00:00Z</pubDate></item>`;
    const items = await composedOf(itemOf('A again', 'a', 3) + itemOf('B', 'b', 2) + itemOf('A', 'a', 1));
    assert.deepEqual(
      items.map(({ text }) => text),
      ['A', 'B'],
    );
  });
});
