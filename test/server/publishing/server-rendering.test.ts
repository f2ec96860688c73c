import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { loadAllChunks } from '../../../src/components/lazy-chunks/chunk-loaders.tsx';
import { type AppServices, ServicesContext } from '../../../src/context/services.ts';
import { ChannelPage } from '../../../src/features/channel/ChannelPage.tsx';
import { FeedPage } from '../../../src/features/feed/FeedPage.tsx';
import { loaded, post, readingServices, stubList } from '../../browser/features/reading-services.ts';

const media = [1, 2, 3].map((messageId) => ({
  type: 'photo' as const,
  messageId,
  src: `/media/${messageId}.jpg`,
  width: 4,
  height: 3,
}));
const list = () => stubList(loaded([post(40, { media, text: 'Low <b>tide</b>' }), post(39)]));
const render = (services: AppServices, page: Parameters<typeof createElement>[0]): string =>
  renderToString(createElement(ServicesContext, { value: services }, createElement(page)));

describe('server-rendered pages', () => {
  // The build defines this constant.
  before(() => Object.assign(globalThis, { __APP__: true, __PRERENDER__: true }));
  before(loadAllChunks);
  it('contain the feed without a browser, and without a style attribute, which our policy forbids', () => {
    const html = render(readingServices(list()), FeedPage);
    assert.match(html, /role="feed"/);
    assert.match(html, /Low &lt;b&gt;tide/);
    assert.doesNotMatch(html, /\sstyle=/);
  });
  it('contain the parts that most posts do not have', () => {
    const poll = { question: 'High or low?', closed: true, options: [{ text: 'High', votes: 3 }] };
    const entities = [{ type: 'pre' as const, offset: 0, length: 4 }];
    const file = { type: 'document' as const, messageId: 41, src: '/media/tides.pdf', name: 'tides.pdf' };
    const html = render(readingServices(stubList(loaded([post(41, { poll, entities, media: [file] })]))), FeedPage);
    for (const pattern of [/High or low\?/, /<pre [^>]*><code>Post/, /<bdi>tides\.pdf/]) assert.match(html, pattern);
    assert.doesNotMatch(html, /\sstyle=/);
  });
  it('show a channel with the state that its URL names', () => {
    const page = () => createElement(ChannelPage, { channelId: 'u1', params: { post: '39' } });
    const html = render(readingServices(list()), page);
    assert.match(html, /<h1><a [^>]*><bdi>Harbour Gazette/);
    assert.match(html, /aria-current="true"/);
    assert.doesNotMatch(html, /\sstyle=/);
  });
});
