// Post menu, and its actions on read markers.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-feed.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { AppServices } from '../../../src/context/services.ts';
import { isMarkedUnread } from '../../../src/features/post-list/marked-unread.ts';
import { applyMarkPlan, markUnreadFrom, planMarkRead } from '../../../src/features/post-list/move-read-marker.ts';
import { closeDataClients, openMemoryDataClient } from '../data/data-client-fixture.ts';
import { FakeServer, makeChannel, makePost, makePosts } from '../data/fake-server.ts';
import { lockDevice } from '../data/own-device.ts';
import { GAZETTE, loaded, ORCHARD, post, posts, readingServices, stubList } from './reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(async () => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
  history.replaceState(null, '');
  await closeDataClients();
});

const mount = (services: AppServices, params: Record<string, string> = {}): ShadowRoot => {
  mounted = document.createElement('changer-feed');
  mounted.services = services;
  mounted.params = params;
  document.body.append(mounted);
  if (mounted.shadowRoot === null) throw new Error('no shadow root');
  return mounted.shadowRoot;
};
const buttons = (root: ParentNode): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('button')];
const findMoreButton = async (root: ShadowRoot, key: string): Promise<HTMLElement> => {
  const find = () => root.querySelector<HTMLElement>(`[data-key="${key}"] [aria-haspopup=dialog]`);
  await waitUntil(() => find() !== null, `${key} has a menu`);
  return find() as HTMLElement;
};
/** Opens the menu of a post. Returns its items by name. */
const menuOf = async (root: ShadowRoot, key: string): Promise<ReadonlyMap<string, HTMLElement>> => {
  const more = await findMoreButton(root, key);
  more.focus();
  more.click();
  await waitUntil(() => root.querySelector('.post-menu button') !== null, 'the menu is open');
  const menu = root.querySelector('.post-menu') as HTMLElement;
  return new Map(buttons(menu).map((button) => [button.textContent ?? '', button]));
};
const toast = (root: ShadowRoot): string => root.querySelector('.toast')?.textContent ?? '';
const undo = (root: ShadowRoot): void => root.querySelector<HTMLElement>('.toast button')?.click();

/** Shows posts 9 to 6 of one channel, then the only unread one of another, then 5 to 1. */
function openTwo() {
  const server = new FakeServer();
  server.channels = [makeChannel('1', { latest: { id: 9, date: 1 } }), makeChannel('2', { latest: { id: 5, date: 1 } })];
  server.posts = [...makePosts('1', 9), makePost('2', 5, { date: 1_700_000_000 + 6 * 60 - 1 })];
  const dataClient = openMemoryDataClient(server);
  const root = mount({ ...readingServices(stubList(loaded([]))), dataClient });
  const setMarks = async (one: number, two: number) => {
    await dataClient.context.userState.loaded;
    await waitUntil(() => dataClient.readMarkers.get().size === 2, 'the channels are known');
    // The keys are loaded together with the code that marks visible posts as read. It checks once, when all posts count as
    // read, and marks none of them later.
    const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, cancelable: true }));
    await waitUntil(() => !press(), 'the keys are there');
    dataClient.context.userState.setReadMarker('1', one, true);
    dataClient.context.userState.setReadMarker('2', two, true);
  };
  const marks = () => [dataClient.readMarkers.get().get('1'), dataClient.readMarkers.get().get('2')];
  return { root, setMarks, marks, dataClient };
}

lockDevice();

describe('the menu of a post', () => {
  it('marks all above as read, says that older posts of the channel are included, and undoes it', async () => {
    const { root, setMarks, marks } = openTwo();
    await setMarks(5, 4);
    const menu = await menuOf(root, '1/8');
    expect([...menu.keys()]).to.deep.equal(['Mark as read up to here', 'Mark all above as read', 'Mark all below as read']);
    menu.get('Mark all above as read')?.click();
    await waitUntil(() => toast(root).includes('All above are read, and older posts of the same channels'));
    expect(marks()[0]).to.equal(9);
    undo(root);
    await waitUntil(() => marks()[0] !== 9, 'the change is reverted');
  });

  it('marks all below as read in every channel of the list, and keeps the posts above', async () => {
    const { root, setMarks, marks } = openTwo();
    await setMarks(4, 4);
    const menu = await menuOf(root, '1/7');
    menu.get('Mark all below as read')?.click();
    await waitUntil(() => toast(root).includes('All below are read'));
    expect(marks()[1]).to.equal(5);
    expect(marks()[0]).to.be.at.least(6);
    await waitUntil(() => root.querySelector('dialog') === null, 'the menu is closed');
  });

  it('marks one channel as read up to a post, or as unread from it on, and restores the focus', async () => {
    const { root, setMarks, marks } = openTwo();
    await setMarks(9, 5);
    (await menuOf(root, '1/8')).get('Mark as unread from here on')?.click();
    expect(marks()).to.deep.equal([7, 5]);
    await waitUntil(() => toast(root).includes('Unread from here on'));
    await waitUntil(() => root.activeElement === root.querySelector('[data-key="1/8"] [aria-haspopup=dialog]'), 'the focus');
    (await menuOf(root, '1/8')).get('Mark as read up to here')?.click();
    expect(marks()[0]).to.be.at.least(8);
  });

  it('marks one post as unread, which it stays when the read marker moves on, and as read', async () => {
    const { root, setMarks, marks, dataClient } = openTwo();
    await setMarks(9, 5);
    (await menuOf(root, '1/7')).get('Mark this post as unread')?.click();
    await waitUntil(() => toast(root).includes('Marked as unread'));
    expect([[...dataClient.keptUnread.get()], marks()]).to.deep.equal([['1/7'], [9, 5]]);
    await waitUntil(() => root.querySelectorAll('article .dot').length === 1, 'only this post is shown as unread');
    undo(root);
    await waitUntil(() => dataClient.keptUnread.get().size === 0, 'the change is reverted');
    (await menuOf(root, '1/7')).get('Mark this post as unread')?.click();
    dataClient.markRead('1', 10);
    expect([...dataClient.keptUnread.get()]).to.deep.equal(['1/7']);
    const menu = await menuOf(root, '1/7');
    expect([...menu.keys()].slice(0, 2)).to.deep.equal(['Mark this post as read', 'Mark as unread from here on']);
    menu.get('Mark this post as read')?.click();
    expect(dataClient.keptUnread.get().size).to.equal(0);
    await waitUntil(() => root.querySelector('article .dot') === null, 'the post is shown as read');
  });

  it('marks posts kept unread as read with all below, and undo restores them', async () => {
    const { root, setMarks, dataClient } = openTwo();
    await setMarks(9, 5);
    for (const key of ['1/8', '1/3', '2/5']) dataClient.context.userState.setKeptUnread(key, true);
    (await menuOf(root, '1/7')).get('Mark all below as read')?.click();
    await waitUntil(() => toast(root).includes('All below are read'));
    expect([...dataClient.keptUnread.get()]).to.deep.equal(['1/8']);
    undo(root);
    await waitUntil(() => dataClient.keptUnread.get().size === 3, 'they are given back');
  });

  it('keeps at most 500 posts unread, and says so', async () => {
    const { root, setMarks, dataClient } = openTwo();
    await setMarks(9, 5);
    for (let id = 1; id <= 500; id++) dataClient.context.userState.setKeptUnread(`9/${id}`, true);
    (await menuOf(root, '1/7')).get('Mark this post as unread')?.click();
    await waitUntil(() => toast(root).includes('You can keep 500 posts unread.'));
    expect(dataClient.keptUnread.get().has('1/7')).to.equal(false);
  });

  it('has no actions above or below when the list does not contain all posts', async () => {
    const services = readingServices(stubList(loaded(posts(40, 36))), { marks: { 1: 30 } });
    const root = mount(services, { show: 'starred' });
    expect([...(await menuOf(root, '1/38')).keys()]).to.deep.equal(['Mark as read up to here']);
  });

  it('is not available on a host page', async () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 36))), { embedded: true }));
    await waitUntil(() => root.querySelector('[data-key="1/38"] .post-actions') !== null);
    expect(root.querySelector('[aria-haspopup=dialog]')).to.equal(null);
  });
});

describe('applyMarkPlan', () => {
  it('undo restores every post kept unread, of several channels', async () => {
    const server = new FakeServer();
    server.channels = [makeChannel('1', { latest: { id: 9, date: 1 } }), makeChannel('2', { latest: { id: 5, date: 1 } })];
    const feedPosts = [makePost('1', 9), makePost('2', 5)];
    server.posts = feedPosts;
    const dataClient = openMemoryDataClient(server);
    await dataClient.context.userState.loaded;
    const list = dataClient.feed({});
    const stop = list.subscribe(() => {});
    await waitUntil(() => list.get().type === 'loaded');
    for (const one of feedPosts) markUnreadFrom(dataClient, list, one);
    const takeBack = applyMarkPlan(dataClient, list, {
      upTo: new Map(feedPosts.map(({ channelId, id }) => [channelId, id])),
      marksOlder: false,
    });
    expect(feedPosts.some((one) => isMarkedUnread(list, one))).to.equal(false);
    takeBack();
    expect(feedPosts.every((one) => isMarkedUnread(list, one))).to.equal(true);
    stop();
  });
});

describe('planMarkRead', () => {
  const plan = (side: 'above' | 'below', marks: Record<string, number>, older: 'idle' | 'end') => {
    const list = stubList(loaded([...posts(40, 38), post(36)], { older }));
    const found = planMarkRead(readingServices(list, { marks }).dataClient, list, post(39), side, [
      GAZETTE,
      { ...ORCHARD, latest: { id: 7, date: 3500 } },
    ]);
    return found && [...found.upTo];
  };

  it('includes posts of other channels below that are not loaded yet', () => {
    expect(plan('below', { 1: 30, 2: 3 }, 'idle')).to.deep.equal([
      ['1', 38],
      ['2', 7],
    ]);
    expect(plan('below', { 1: 30, 2: 3 }, 'end')).to.deep.equal([['1', 38]]);
  });

  it('says that older posts are marked as read with those above, also when the list has not loaded them', () => {
    const anchor = post(38, { channelId: '2' });
    const offersMarkRead = (unread: number, older: 'idle' | 'end') => {
      const list = stubList(loaded([...posts(40, 39), anchor], { older }));
      const services = readingServices(list, { marks: { 1: 30, 2: 50 } });
      const rows = services.dataClient.lineup.get();
      if (rows.type !== 'loaded') throw new Error('no line-up');
      const value = rows.value.map((row) => ({ ...row, unread: row.channel.id === '1' ? unread : 0 }));
      const lineup = { ...services.dataClient.lineup, get: () => ({ ...rows, value }) };
      return planMarkRead({ ...services.dataClient, lineup }, list, anchor, 'above', [])?.marksOlder;
    };
    expect(offersMarkRead(5, 'idle')).to.equal(true);
    expect(offersMarkRead(2, 'idle')).to.equal(false);
    expect(offersMarkRead(5, 'end')).to.equal(false);
  });

  it('returns null when everything is read, or when a channel is seen for the first time', () => {
    expect(plan('below', { 1: 38, 2: 7 }, 'idle')).to.equal(null);
    expect(plan('above', { 1: 40 }, 'idle')).to.equal(null);
    expect(plan('above', {}, 'idle')).to.equal(null);
  });
});
