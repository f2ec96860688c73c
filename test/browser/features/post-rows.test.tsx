// Post rows: the compact list of titles.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import '../../../elements/changer-feed.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { closeDataClients } from '../data/data-client-fixture.ts';
import { lockDevice } from '../data/own-device.ts';
import { loaded, post, posts, readingServices, stubList } from './reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(async () => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
  history.replaceState(null, '');
  await closeDataClients();
});

/** A row removes a picture that fails to load, so the test has a real one. */
const PICTURE_SRC = URL.createObjectURL(
  new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"/>'], { type: 'image/svg+xml' }),
);
const PICTURE = { type: 'photo', src: PICTURE_SRC, width: 800, height: 600, messageId: 39 } as const;
const SHOWN = [
  post(40, { text: '\nThe ferry runs again.\nTickets stay valid.' }),
  post(39, {
    text: 'Covered',
    link: 'https://t.me/u1/39',
    entities: [{ type: 'spoiler', offset: 0, length: 7 }],
    media: [PICTURE],
  }),
  post(38, { text: '', media: [{ ...PICTURE, messageId: 38, spoiler: true }] }),
  ...posts(37, 21),
];

function mount(tag: 'changer-feed' | 'changer-channel', params: Record<string, string> = {}) {
  const services = readingServices(stubList(loaded(SHOWN)), { marks: { 1: 38 } });
  const list = createSignal<'posts' | 'titles'>('titles');
  const appearance = { theme: createSignal(null), textSize: createSignal(100 as const), listView: list };
  mounted = document.createElement(tag);
  mounted.services = { ...services, environment: { ...services.environment, appearance } };
  mounted.params = params;
  if (tag === 'changer-channel') mounted.setAttribute('channel-id', '1');
  document.body.append(mounted);
  return { root: mounted.shadowRoot as ShadowRoot, list, services };
}
const rows = (root: ShadowRoot): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('.row')];
const press = (root: ShadowRoot, key: string): boolean =>
  !(root.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }),
  );

lockDevice();

describe('a list of titles', () => {
  it('has a row of the same height for each post, with its channel, first line, picture and unread state', async () => {
    const { root } = mount('changer-feed');
    await waitUntil(() => rows(root).length > 3, 'rows are there');
    const [first, second, third] = rows(root) as [HTMLElement, HTMLElement, HTMLElement];
    expect(first.querySelector('.row-link')?.textContent).to.equal('The ferry runs again.');
    expect(first.querySelector('.row-link')?.getAttribute('href')).to.equal('/channel/u1?post=40');
    expect(first.querySelector('.row-channel')?.textContent).to.equal('Harbour Gazette');
    expect(
      rows(root)
        .map((row) => row.querySelector('.dot') !== null)
        .slice(0, 3),
    ).to.deep.equal([true, true, false]);
    expect(second.querySelector('img')?.getAttribute('src')).to.equal(PICTURE_SRC);
    expect(second.querySelector('.row-link')?.textContent).not.to.contain('Covered');
    expect(third.querySelector('img'), 'a covered picture').to.equal(null);
    expect(third.querySelector('.row-link')?.textContent).to.equal('Photo');
    await waitUntil(() => new Set(rows(root).map((row) => row.offsetHeight)).size === 1, 'all rows have one height');
    expect(first.offsetHeight).to.be.at.most(64);
  });

  it('supports J and K, opens the post on Enter, and its original on V', async () => {
    const { root } = mount('changer-feed');
    await waitUntil(() => press(root, 'j'), 'the keys are there');
    const opened: (string | null)[] = [];
    root.addEventListener('click', (event) => {
      const [link] = event.composedPath();
      if (link instanceof HTMLAnchorElement) opened.push(link.getAttribute('href'));
      event.preventDefault();
    });
    press(root, 'j');
    expect(root.activeElement?.getAttribute('data-key')).to.equal('1/39');
    press(root, 'Enter');
    press(root, 'k');
    press(root, 'o');
    expect(opened).to.deep.equal(['/channel/u1?post=39', '/channel/u1?post=40']);
    expect(press(root, 'v'), 'a post without an original').to.equal(false);
    press(root, 'j');
    expect(press(root, 'v')).to.equal(true);
    expect(opened.at(-1)).to.equal('https://t.me/u1/39');
  });

  it('follows the list setting, and shows the complete post that a URL names', async () => {
    const { root, list } = mount('changer-feed');
    await waitUntil(() => rows(root).length > 3, 'rows are there');
    list.set('posts');
    await waitUntil(() => rows(root).length === 0 && root.querySelector('.post-actions') !== null, 'complete posts are shown');
    mounted?.remove();
    const channel = mount('changer-channel', { id: '1', post: '38' });
    await waitUntil(() => channel.root.querySelector('.post-actions') !== null, 'the post');
    expect(rows(channel.root)).to.deep.equal([]);
  });

  it('does not mark a post as read when only its title was visible', async () => {
    const { root, services } = mount('changer-feed');
    await waitUntil(() => press(root, 'j'), 'the keyboard shortcuts work');
    // The same page with complete posts marks visible posts as read within half a second. So a visible post there shows that
    // enough time has passed.
    const fullFeed = document.createElement('changer-feed');
    const fullFeedServices = readingServices(stubList(loaded([post(40), post(38)])), { marks: { 1: 38 } });
    fullFeed.services = fullFeedServices;
    fullFeed.params = {};
    fullFeed.style.cssText = 'position: fixed; inset: 0 0 auto';
    document.body.prepend(fullFeed);
    await waitUntil(() => fullFeedServices.calls.includes('read 1 40'), 'a whole post is read by being seen');
    fullFeed.remove();
    expect(services.calls.filter((call) => call.startsWith('read'))).to.deep.equal([]);
  });
});
