// Reading keys: keyboard shortcuts on posts.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-feed.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { closeDataClients, openMemoryDataClient } from '../data/data-client-fixture.ts';
import { FakeServer, makeChannel, makePost, makePosts } from '../data/fake-server.ts';
import { lockDevice } from '../data/own-device.ts';
import { loaded, post, posts, type ReadingServices, readingServices, stubList } from './reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(async () => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
  // Each test starts at the top, and not at the scroll position of the previous test.
  history.replaceState(null, '');
  localStorage.removeItem('channel-changer.single-keys');
  await closeDataClients();
});

const mount = (services: ReadingServices): ShadowRoot => {
  mounted = document.createElement('changer-feed');
  mounted.services = services;
  mounted.params = {};
  document.body.append(mounted);
  if (mounted.shadowRoot === null) throw new Error('no shadow root');
  return mounted.shadowRoot;
};
const focused = (root: ShadowRoot): string | undefined => root.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key;
/** Presses a key on the focused element. Returns true if the page handled it. */
const press = (root: ShadowRoot, key: string, init: KeyboardEventInit = {}): boolean =>
  !(root.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...init }),
  );
/** The keys are loaded after the first posts. Waits until a first press is handled. */
const waitUntilHandled = (root: ShadowRoot, key: string) => waitUntil(() => press(root, key), `${key} works`);
const toast = (root: ShadowRoot): string => root.querySelector('.toast')?.textContent ?? '';
const article = (root: ShadowRoot, key: string): HTMLElement => {
  const found = root.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (found === null) throw new Error(`no post ${key}`);
  return found;
};

lockDevice();

describe('keyboard shortcuts of posts', () => {
  it('move from post to post with J and K, and Page Down and Page Up, without the focus inside', async () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 21)))));
    await waitUntilHandled(root, 'PageDown');
    expect(focused(root)).to.equal('1/40');
    press(root, 'j');
    press(root, 'о', { code: 'KeyJ' });
    expect(focused(root)).to.equal('1/38');
    press(root, 'k');
    expect(focused(root)).to.equal('1/39');
    press(root, 'PageUp');
    expect(focused(root)).to.equal('1/40');
    expect(press(root, 'k')).to.equal(false);
  });

  it('start at the visible post when the focus is elsewhere or far away', async () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 21)))));
    await waitUntilHandled(root, 'j');
    const scrollInto = (key: string) => {
      const { top } = article(root, key).getBoundingClientRect();
      window.scrollBy({ top: top - 50, behavior: 'instant' });
    };
    scrollInto('1/28');
    press(root, 'j');
    expect(focused(root)).to.equal('1/27');
    expect(article(root, '1/27').getBoundingClientRect().top).to.be.within(60, 180);
    article(root, '1/27').blur();
    scrollInto('1/30');
    press(root, 'k');
    expect(focused(root)).to.equal('1/30');
  });

  it('star, open, and open the original of the focused post', async () => {
    const services = readingServices(stubList(loaded([post(40), post(39, { link: 'https://t.me/u1/39' }), post(38)])));
    const root = mount(services);
    await waitUntilHandled(root, 'j');
    press(root, 'j');
    press(root, 's');
    expect(services.calls).to.include('star 1/39 true');
    await waitUntil(() => toast(root).includes('Added to starred'));
    const followed: string[] = [];
    const follow = (event: Event) => {
      const [link] = event.composedPath();
      if (!(link instanceof HTMLAnchorElement)) return;
      followed.push(link.getAttribute('href') ?? '');
      event.preventDefault();
    };
    root.addEventListener('click', follow);
    press(root, 'o');
    press(root, 'Enter');
    press(root, 'v');
    const pageLink = '/channel/u1?post=39';
    expect(followed).to.deep.equal([pageLink, pageLink, 'https://t.me/u1/39']);
    press(root, 'j');
    expect(press(root, 'v')).to.equal(false);
  });

  it('leave Enter to the focused button or link', async () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 38)))));
    await waitUntilHandled(root, 'j');
    article(root, '1/40').querySelector('button')?.focus();
    expect(press(root, 'Enter')).to.equal(false);
  });

  it('move to the next unread post, wrap at the end, and say when there is none', async () => {
    const services = readingServices(stubList(loaded([...posts(40, 36), post(20, { channelId: '2' })])), {
      marks: { 1: 38, 2: 10 },
    });
    const root = mount(services);
    await waitUntilHandled(root, 'n');
    expect(focused(root)).to.equal('1/40');
    press(root, 'n');
    press(root, 'n');
    expect(focused(root)).to.equal('2/20');
    press(root, 'n');
    expect(focused(root)).to.equal('1/40');
    services.marks.set(
      new Map([
        ['1', 40],
        ['2', 20],
      ]),
    );
    press(root, 'n');
    await waitUntil(() => toast(root).includes('No unread posts here'));
  });

  it('mark posts as read up to a post with M, and undo it', async () => {
    const services = readingServices(stubList(loaded(posts(40, 31))), { marks: { 1: 30 } });
    const root = mount(services);
    await waitUntilHandled(root, 'j');
    press(root, 'm');
    expect(services.calls).to.include('read 1 40');
    await waitUntil(() => toast(root).includes('Read up to here'));
  });

  it('move the read marker to before a post that was read, where it stays although the post is visible', async () => {
    const server = new FakeServer();
    server.channels = [makeChannel('1', { latest: { id: 9, date: 1 } }), makeChannel('2', { latest: { id: 5, date: 1 } })];
    server.posts = [...makePosts('1', 9), makePost('2', 5, { date: 1_700_000_000 + 7 * 60 - 1 })];
    const dataClient = openMemoryDataClient(server);
    const root = mount({ ...readingServices(stubList(loaded([]))), dataClient });
    const mark = (id = '1') => dataClient.readMarkers.get().get(id);
    await waitUntil(() => root.querySelector('[data-key="1/7"]'), 'posts are there');
    dataClient.markRead('1', 9);
    dataClient.markRead('2', 5);
    await waitUntilHandled(root, 'j');
    press(root, 'j');
    press(root, 'j');
    expect(focused(root)).to.equal('1/7');
    article(root, '1/7').querySelector<HTMLElement>('[aria-haspopup=dialog]')?.click();
    const items = () => [...root.querySelectorAll<HTMLElement>('.post-menu button')];
    const fromHere = () => items().find(({ textContent }) => textContent === 'Mark as unread from here on');
    await waitUntil(() => fromHere() !== undefined, 'the menu is open');
    fromHere()?.click();
    expect(mark()).to.equal(6);
    await waitUntil(() => toast(root).includes('Unread from here on'));
    await waitUntil(() => root.querySelector('dialog') === null, 'the menu is closed');
    article(root, '1/7').focus();
    await waitUntil(() => article(root, '1/7').querySelector('.dot') !== null, 'the post is shown as unread');
    // The visible posts are checked again. This marks the post of the other channel as read, at the same moment.
    dataClient.context.userState.setReadMarker('2', 4, true);
    document.dispatchEvent(new Event('visibilitychange'));
    await waitUntil(() => mark('2') === 5, 'visible posts are marked as read');
    expect(mark()).to.equal(6);
    press(root, 'm');
    expect(mark()).to.be.at.least(7);
    const undo = [...root.querySelectorAll<HTMLElement>('.toast button')].find(({ textContent }) => textContent === 'Undo');
    await waitUntil(() => toast(root).includes('Read up to here'));
    undo?.click();
    await waitUntil(() => mark() === 6);
  });

  it('mark a post that was read as unread with M, where it stays although it is visible, and as read with M', async () => {
    const server = new FakeServer();
    server.channels = [makeChannel('1', { latest: { id: 9, date: 1 } })];
    server.posts = makePosts('1', 9);
    const dataClient = openMemoryDataClient(server);
    const root = mount({ ...readingServices(stubList(loaded([]))), dataClient });
    await waitUntil(() => root.querySelector('[data-key="1/8"]'), 'posts are there');
    dataClient.markRead('1', 9);
    await waitUntilHandled(root, 'j');
    press(root, 'j');
    expect(focused(root)).to.equal('1/8');
    press(root, 'm');
    expect([[...dataClient.keptUnread.get()], dataClient.readMarkers.get().get('1')]).to.deep.equal([['1/8'], 9]);
    await waitUntil(() => toast(root).includes('Marked as unread'));
    await waitUntil(() => article(root, '1/8').querySelector('.dot') !== null, 'the post is shown as unread');
    // The visible posts are checked again. A post that is unread by the marker is marked as read, at the same moment.
    dataClient.context.userState.setReadMarker('1', 8, true);
    document.dispatchEvent(new Event('visibilitychange'));
    await waitUntil(() => dataClient.readMarkers.get().get('1') === 9, 'visible posts are marked as read');
    expect([...dataClient.keptUnread.get()]).to.deep.equal(['1/8']);
    article(root, '1/9').focus();
    press(root, 'n');
    expect(focused(root)).to.equal('1/8');
    press(root, 'm');
    expect(dataClient.keptUnread.get().size).to.equal(0);
    await waitUntil(() => toast(root).includes('Marked as read'));
  });

  it('open the search, and are off in fields, with modifiers and when the user turned them off', async () => {
    const services = readingServices(stubList(loaded(posts(40, 31))));
    const root = mount(services);
    await waitUntilHandled(root, 'j');
    expect(press(root, 'j', { ctrlKey: true })).to.equal(false);
    expect(press(root, 'j', { altKey: true })).to.equal(false);
    expect(press(root, 'J', { shiftKey: true })).to.equal(false);
    const field = document.body.appendChild(document.createElement('input'));
    const typed = new KeyboardEvent('keydown', { key: 's', bubbles: true, cancelable: true });
    field.dispatchEvent(typed);
    field.remove();
    expect(typed.defaultPrevented).to.equal(false);
    expect(press(root, '/')).to.equal(true);
    expect(services.calls).to.include('navigate /main?search');
    localStorage.setItem('channel-changer.single-keys', 'off');
    expect(press(root, 'j')).to.equal(false);
    expect(press(root, 'PageDown')).to.equal(true);
    expect(services.calls.filter((call) => call.startsWith('star'))).to.deep.equal([]);
  });

  it('are off on a host page, where Page Down moves only within the feed', async () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 31))), { embedded: true }));
    await waitUntil(() => {
      article(root, '1/40').focus();
      return press(root, 'PageDown');
    });
    expect(focused(root)).to.equal('1/39');
    expect(press(root, 'j')).to.equal(false);
    article(root, '1/39').blur();
    expect(press(root, 'PageDown')).to.equal(false);
  });
});
