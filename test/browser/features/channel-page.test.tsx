// changer-channel: the page of a channel.

import { expect, waitUntil } from '@open-wc/testing';
import type { Channel } from '../../../contract/channel.ts';
import type { Media } from '../../../contract/post.ts';
import type { Loadable } from '../../../src/data/model/types.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { mountChannel as stand } from './channel-fixture.ts';
import { GAZETTE, loaded, post, posts, type ReadingServices, readingServices, stubList } from './reading-services.ts';

const postRequests = (services: ReadingServices): string[] => services.calls.filter((call) => call.startsWith('posts'));

describe('changer-channel', () => {
  it('shows the name and the description of the channel', () => {
    const root = stand(readingServices(stubList(loaded(posts(40, 38)))));
    expect(root.querySelector('h1 bdi')?.textContent).to.equal('Harbour Gazette');
    expect(root.querySelector('.channel-about')?.textContent).to.contain('Ferries and tides');
  });
  it('says that there is no such channel, and links to the dial', async () => {
    const root = stand(readingServices(stubList(loaded([])), { found: null }));
    await waitUntil(() => root.querySelector('h1') !== null);
    expect(root.querySelector('h1')?.textContent).to.equal('Channel not found');
    expect(root.querySelector('a')?.getAttribute('href')).to.equal('/changer');
  });
  it('says in its own words why it failed, below a page heading', async () => {
    const services = readingServices(stubList(loaded([])));
    const failed = { type: 'failed' as const, message: 'The store is closed.', status: 500 };
    const root = stand({
      ...services,
      dataClient: { ...services.dataClient, channel: () => createSignal<Loadable<Channel>>(failed) },
    });
    expect(root.querySelector('h1')?.textContent).to.equal('This could not be loaded');
    await waitUntil(
      () => root.querySelector('.empty p')?.textContent === 'The server cannot answer just now. Try again in a moment.',
    );
  });
  it('scrolls the post in the URL into view, with its head', async () => {
    const services = readingServices(stubList(loaded(posts(40, 11))));
    const root = stand(services, { post: '20' });
    expect(postRequests(services)[0]).to.equal('posts u1 {"around":20}');
    const named = root.querySelector('article[aria-current]');
    await waitUntil(() => window.scrollY > 0);
    expect(named?.getBoundingClientRect().top).to.be.within(0, 120);
    expect(named?.querySelector('.post-name')?.textContent).to.contain('Harbour Gazette');
  });
  it('finds the album when the URL names one of its pictures', async () => {
    const album = post(30, { media: [30, 31].map((messageId) => ({ type: 'photo' as const, messageId, width: 4, height: 3 })) });
    const root = stand(readingServices(stubList(loaded([post(40), album]))), { post: '31' });
    await waitUntil(() => root.querySelector('article[aria-current]')?.getAttribute('data-key') === '1/30');
  });
  it('says when the post in the URL was deleted', () => {
    const root = stand(readingServices(stubList(loaded(posts(40, 38)))), { post: '12' });
    expect(root.textContent).to.contain('This post is no longer here');
  });
  it('says when the post in the URL never existed, and links to the other posts', () => {
    const services = readingServices(stubList({ type: 'failed', message: 'Post 12 was not found.', status: 404 }));
    const root = stand(services, { post: '12' });
    expect(root.querySelector('h2')?.textContent).to.equal('Post not found');
    root.querySelector<HTMLElement>('.empty button')?.click();
    expect(services.calls).to.include('navigate /channel/u1');
  });
  it('describes the content of a pinned post without text', async () => {
    const pinned = post(40, { text: '', media: [{ type: 'photo', messageId: 40, width: 4, height: 3 }] });
    const found = { ...GAZETTE, pinned: 40 };
    const value = { post: pinned, channel: found };
    const services = readingServices(stubList(loaded([post(39)])), {
      found,
      post: () => createSignal({ type: 'loaded' as const, value, cachedAt: null }),
    });
    const root = stand(services);
    await waitUntil(() => root.querySelector('.pinned-line bdi')?.textContent === 'Photo');
  });
  it('keeps its own typography when the host page styles all elements', () => {
    const site = document.head.appendChild(document.createElement('style'));
    site.textContent = '* { color: red !important; font: italic 30px serif; text-transform: uppercase; white-space: nowrap }';
    const root = stand(readingServices(stubList(loaded(posts(40, 38)))));
    const text = root.querySelector('.text p');
    if (text === null) throw new Error('no text');
    const { color, fontStyle, textTransform, whiteSpace } = getComputedStyle(text);
    expect({ color, fontStyle, textTransform, whiteSpace }).to.deep.equal({
      color: 'rgb(25, 26, 29)',
      fontStyle: 'normal',
      textTransform: 'none',
      whiteSpace: 'pre-wrap',
    });
    site.textContent = 'changer-channel { visibility: hidden }';
    expect(getComputedStyle(text).visibility).to.equal('hidden');
    site.remove();
  });
  it('keeps the order of a phone number in text of the other direction', () => {
    const text = 'اتصل +999 555 0177';
    const entities = [{ type: 'phone_number' as const, offset: 5, length: 13 }];
    const root = stand(readingServices(stubList(loaded([post(40, { text, entities })]))));
    const number = root.querySelector('.text a')?.firstChild;
    if (!number) throw new Error('no link');
    const left = (from: number): number => {
      const range = document.createRange();
      range.setStart(number, from);
      range.setEnd(number, from + 1);
      return range.getBoundingClientRect().left;
    };
    expect(left(0)).to.be.lessThan(left(12));
  });
  it('says exactly which file is missing, and what it cannot show', async () => {
    const missing = post(40, { media: [{ type: 'photo', messageId: 40, missing: 'not-included' }], link: 'https://t.me/u1/40' });
    const root = stand(readingServices(stubList(loaded([missing, post(39, { text: '', other: 'giveaway' })]))));
    await waitUntil(
      () => root.querySelector('.left-out')?.textContent === 'This picture is not in this export. Open in Telegram',
    );
    await waitUntil(() => root.textContent?.includes('A giveaway'));
    expect(root.querySelector('.left-out a')?.getAttribute('href')).to.equal('https://t.me/u1/40');
  });
  it('says in one line how many files an export lacks, and shows the files that exist', async () => {
    const missingMedia = (messageId: number, more: Partial<Media> = {}): Media => ({
      ...{ type: 'photo', messageId, missing: 'not-included' },
      ...more,
    });
    const failingPhoto: Media = { type: 'photo', messageId: 34, src: '/none.jpg', width: 4, height: 3 };
    const root = stand(
      readingServices(
        stubList(
          loaded([
            post(40, { media: [40, 41, 42, 43].map((id) => missingMedia(id)), link: 'https://t.me/u1/40' }),
            post(38, { media: [missingMedia(38, { type: 'document', name: 'plan.pdf' })] }),
            post(36, { media: [missingMedia(36, { missing: 'lost' }), missingMedia(37, { type: 'audio' })] }),
            post(34, { media: [failingPhoto, missingMedia(35)] }),
          ]),
        ),
      ),
    );
    await waitUntil(() => root.querySelectorAll('.left-out').length === 4);
    expect([...root.querySelectorAll('.left-out')].map((line) => line.textContent?.trim())).to.deep.equal([
      '4 pictures are not in this export. Open in Telegram',
      'plan.pdf: This file is not in this export.',
      '2 files could not be found.',
      'This picture is not in this export.',
    ]);
    expect(root.querySelectorAll('.missing, .file').length).to.equal(0);
    await waitUntil(() => root.querySelectorAll('.tile').length === 1);
  });
  it('opens a picture over the page, and closes it on Escape', async () => {
    const media = [1, 2].map((messageId) => ({ type: 'photo' as const, messageId, src: '/none.jpg', width: 4, height: 3 }));
    const root = stand(readingServices(stubList(loaded([post(40, { media })]))));
    root.querySelector<HTMLElement>('.tile a')?.click();
    await waitUntil(() => root.querySelector('dialog[open]') !== null);
    const dialog = root.querySelector('dialog');
    expect(root.activeElement?.getAttribute('aria-label')).to.equal('Close');
    const next = root.querySelector<HTMLElement>('.viewer-next');
    next?.focus();
    next?.click();
    await waitUntil(() => dialog?.textContent?.includes('2 of 2'));
    // The button that had the focus is removed, and the keys still work.
    await waitUntil(() => root.activeElement?.getAttribute('aria-label') === 'Close');
    root.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    await waitUntil(() => dialog?.textContent?.includes('1 of 2'));
    dialog?.close();
    await waitUntil(() => root.querySelector('dialog') === null);
  });
});
