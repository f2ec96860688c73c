// Spoilers: text and media that stay covered until the reader reveals them.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import '../../../elements/changer-dial.ts';
import type { Media, Post } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { loadAllChunks } from '../../../src/components/lazy-chunks/chunk-loaders.tsx';
import type { Loadable } from '../../../src/data/model/types.ts';
import { postSummary } from '../../../src/features/dial/post-summary.ts';
import { english } from '../../../src/i18n/i18n.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { stubServices } from '../features/dial-services.ts';
import { GAZETTE, loaded, post, type ReadingServices, readingServices, stubList } from '../features/reading-services.ts';

const TEXT = 'The butler did it, said the cook';
const PICTURE: Media = { type: 'photo', messageId: 40, src: '/none.jpg', width: 4, height: 3 };
const WITH_SPOILER: Partial<Post> = {
  text: TEXT,
  entities: [
    { type: 'spoiler', offset: 4, length: 6 },
    // An entity inside a spoiler splits it in two, and belongs to it.
    { type: 'bold', offset: 4, length: 3 },
    { type: 'spoiler', offset: 6, length: 4 },
  ],
};

let mounted: ChangerElement | null = null;
before(loadAllChunks);
afterEach(() => {
  mounted?.remove();
  mounted = null;
});

function mount(tag: 'changer-channel' | 'changer-dial', services: ReadingServices | ReturnType<typeof stubServices>): ShadowRoot {
  const element = document.createElement(tag);
  mounted = element;
  element.services = services;
  element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

describe('the text of a spoiler', () => {
  it('does not appear in the card of the dial', () => {
    const stub = stubServices();
    const latest = createSignal<Loadable<readonly Post[]>>({ type: 'loaded', value: [post(40, WITH_SPOILER)], cachedAt: null });
    const root = mount('changer-dial', { ...stub, dataClient: { ...stub.dataClient, latestPosts: () => latest } });
    expect(root.querySelector('.card-post-text')?.textContent).to.equal('The ▒▒▒ did it, said the cook');
  });
  it('is one mask if another entity splits the spoiler into parts', () => {
    const summaryOf = (...parts: [offset: number, length: number][]) =>
      postSummary(
        english,
        post(40, { text: TEXT, entities: parts.map(([offset, length]) => ({ type: 'spoiler', offset, length })) }),
      );
    expect(summaryOf([4, 3], [7, 3])).to.equal('The ▒▒▒ did it, said the cook');
    expect(summaryOf([0, 4], [4, 6])).to.equal('▒▒▒ did it, said the cook');
    expect(summaryOf([4, 6], [11, 3])).to.equal('The ▒▒▒ ▒▒▒ it, said the cook');
  });
  it('does not appear in the card as the name of a file', () => {
    const media: Media[] = [{ ...PICTURE, name: 'the butler.jpg', spoiler: true }];
    expect(postSummary(english, post(40, { text: '', media }))).to.equal('Photo');
    expect(postSummary(english, post(40, { text: '', media: [{ ...PICTURE, name: 'hall.jpg' }] }))).to.equal('hall.jpg');
  });
  it('does not appear in the pinned post, which shows its first words', async () => {
    const services = readingServices(stubList(loaded([post(39)])), {
      found: { ...GAZETTE, pinned: 40 },
      post: () =>
        createSignal({
          type: 'loaded' as const,
          value: {
            post: post(40, { text: `\n${TEXT}\nmore`, entities: [{ type: 'spoiler', offset: 5, length: 6 }] }),
            channel: GAZETTE,
          },
          cachedAt: null,
        }),
    });
    const root = mount('changer-channel', services);
    await waitUntil(() => root.querySelector('.pinned-line bdi')?.textContent === 'The ▒▒▒ did it, said the cook');
  });
  it('does not appear in the alternative text of a picture, which says that text is hidden', async () => {
    const media = [PICTURE, { ...PICTURE, messageId: 41 }];
    const root = mount('changer-channel', readingServices(stubList(loaded([post(40, { ...WITH_SPOILER, media })]))));
    await waitUntil(() => root.querySelectorAll('.tile img').length === 2);
    expect([...root.querySelectorAll('.tile img')].map((picture) => picture.getAttribute('alt'))).to.deep.equal([
      'Photo 1 of 2: The [hidden text] did it, said the cook',
      'Photo 2 of 2: The [hidden text] did it, said the cook',
    ]);
    const open = root.querySelector('.tile a');
    expect(open?.outerHTML).not.to.contain('butler');
  });
  it('does not appear in shared text', async () => {
    const services = readingServices(stubList(loaded([post(40, WITH_SPOILER)])));
    const shared: string[] = [];
    const share = async (_url: string, text: string) => {
      shared.push(text);
      return 'shared' as const;
    };
    const root = mount('changer-channel', { ...services, host: { ...services.host, share } });
    root.querySelector<HTMLElement>('article [aria-label="Share"]')?.click();
    await waitUntil(() => shared.length === 1);
    expect(shared).to.deep.equal(['The ▒▒▒ did it, said the cook']);
  });
  it('does not appear among the pictures of the media viewer until the user opens it', async () => {
    const media = [PICTURE, { ...PICTURE, messageId: 41, spoiler: true }, { ...PICTURE, messageId: 42 }];
    const root = mount('changer-channel', readingServices(stubList(loaded([post(40, { media })]))));
    await waitUntil(() => root.querySelectorAll('.tile a').length === 2);
    root.querySelector<HTMLElement>('.tile a')?.click();
    await waitUntil(() => root.querySelector('dialog.viewer[open]'));
    expect(root.querySelector('dialog.viewer [aria-live]')?.textContent).to.equal('1 of 2');
    root.querySelector<HTMLElement>('dialog.viewer [aria-label="Close"]')?.click();
    await waitUntil(() => root.querySelector('dialog.viewer') === null);
    root.querySelector<HTMLElement>('.cover')?.click();
    await waitUntil(() => root.querySelectorAll('.tile a').length === 3);
    root.querySelectorAll<HTMLElement>('.tile a')[1]?.click();
    await waitUntil(() => root.querySelector('dialog.viewer [aria-live]')?.textContent === '2 of 3');
    root.querySelector<HTMLElement>('dialog.viewer [aria-label="Close"]')?.click();
    await waitUntil(() => root.querySelector('dialog.viewer') === null);
  });
});
