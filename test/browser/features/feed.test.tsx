// changer-feed: the feed of all channels.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-feed.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { dividerIndex } from '../../../src/features/post-list/read-progress.ts';
import { readUpTo } from '../../../src/features/post-list/use-read-tracking.ts';
import { GAZETTE, loaded, post, posts, type ReadingServices, readingServices, stubList } from './reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
});

function mount(services: ReadingServices, params?: Readonly<Record<string, string>>, channels?: string): ShadowRoot {
  const element = document.createElement('changer-feed');
  mounted = element;
  element.services = services;
  if (params !== undefined) element.params = params;
  if (channels !== undefined) element.setAttribute('channels', channels);
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

const all = (root: ShadowRoot, selector: string): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(selector)];
const article = (root: ShadowRoot, id: number): HTMLElement => {
  const found = root.querySelector<HTMLElement>(`[data-key="1/${id}"]`);
  if (found === null) throw new Error(`no post ${id}`);
  return found;
};
const control = (within: ParentNode, name: string): HTMLElement => {
  const found = [...within.querySelectorAll<HTMLElement>('button, a')].find(
    (each) => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === name,
  );
  if (found === undefined) throw new Error(`no control called ${name}`);
  return found;
};
const press = (root: ShadowRoot, key: string) =>
  root.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
/** Waits until the scroll behaviours are loaded, which happens after the first posts are rendered. Then their keys work. */
const waitForScrollBehaviours = (root: ShadowRoot): Promise<void> =>
  waitUntil(() => {
    const [first] = all(root, 'article');
    first?.focus({ preventScroll: true });
    press(root, 'PageDown');
    return root.activeElement !== first;
  });

describe('changer-feed', () => {
  // This test comes first, because the lazy components remain loaded.
  it('stops above a post whose chunks are still loading, and continues below when they are loaded', async () => {
    const poll = { question: 'High or low?', closed: false, options: [{ text: 'High', votes: 3 }] };
    const list = stubList(loaded([...posts(40, 39), post(38, { poll }), post(37)]));
    const root = mount(readingServices(list));
    const ids = (): string[] => all(root, 'article').map((each) => each.dataset.key ?? '');
    expect(ids()).to.deep.equal(['1/40', '1/39']);
    const { top } = article(root, 39).getBoundingClientRect();
    await waitUntil(() => ids().length === 4);
    expect(article(root, 38).textContent).to.contain('High or low?');
    expect(article(root, 39).getBoundingClientRect().top).to.equal(top);
  });
  it('is an ARIA feed of articles with their positions', () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 31)))));
    expect(root.querySelector('[role=feed]')).to.not.equal(null);
    const [first] = all(root, 'article');
    expect(first?.getAttribute('aria-posinset')).to.equal('1');
    expect(first?.getAttribute('aria-setsize')).to.equal('10');
    const named = root.getElementById(first?.getAttribute('aria-labelledby') ?? '');
    expect(named?.textContent).to.contain('Harbour Gazette');
  });
  it('loads more by itself near its end', async () => {
    const list = stubList(loaded(posts(40, 38), { older: 'idle' }), posts(37, 35));
    const root = mount(readingServices(list));
    await waitUntil(() => all(root, 'article').length === 6);
    expect(list.loadCalls).to.deep.equal(['older']);
  });
  it('waits for the user after a failure', async () => {
    const list = stubList(loaded(posts(40, 38), { older: 'failed' }), posts(37, 35));
    const root = mount(readingServices(list));
    control(root, 'Could not load more. Try again').click();
    await waitUntil(() => all(root, 'article').length === 6);
  });
  it('keeps the visible posts in place when posts are added above', async () => {
    const list = stubList(loaded(posts(40, 11)));
    const root = mount(readingServices(list));
    await waitForScrollBehaviours(root);
    window.scrollTo(0, article(root, 25).offsetTop);
    const before = article(root, 25).getBoundingClientRect().top;
    list.state.set(loaded([post(43), post(42), post(41), ...posts(40, 11)]));
    await waitUntil(() => root.querySelector('[data-key="1/43"]') !== null);
    expect(article(root, 25).getBoundingClientRect().top).to.be.closeTo(before, 1);
  });
  it('moves from post to post with Page Down and Page Up', async () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 31)))));
    await waitForScrollBehaviours(root);
    control(article(root, 40), 'Star').focus();
    press(root, 'PageDown');
    expect(root.activeElement).to.equal(article(root, 39));
    press(root, 'PageDown');
    press(root, 'PageUp');
    expect(root.activeElement).to.equal(article(root, 39));
  });
  it('stars and shares a post', async () => {
    const services = readingServices(stubList(loaded(posts(40, 39))));
    const root = mount(services);
    control(article(root, 40), 'Star').click();
    control(article(root, 39), 'Share').click();
    expect(services.calls).to.include('star 1/40 true');
    expect(services.calls).to.include(`share ${location.origin}/channel/u1?post=39`);
    await waitUntil(() => root.querySelector('[role=status]')?.textContent === 'Link copied');
  });
  it('says why it is empty, and links to all posts', async () => {
    const root = mount(readingServices(stubList(loaded([]))), { show: 'starred' });
    await waitUntil(() => root.querySelector('h2')?.textContent === 'Nothing starred yet');
    expect(control(root, 'Show all posts').getAttribute('href')).to.equal('/main');
  });
  it('says what failed, and retries', () => {
    const list = stubList({ type: 'failed', message: 'No response received', status: null });
    const root = mount(readingServices(list));
    expect(root.textContent).to.contain('Check your connection.');
    control(root, 'Try again').click();
    expect(list.loadCalls).to.deep.equal(['refresh']);
  });
  it('requests what the URL and the attributes name', () => {
    const services = readingServices(stubList(loaded([])));
    mount(services, { show: 'unread' }, 'gazette, 2');
    expect(services.calls[0]).to.equal('feed {"show":"unread","channelIds":["gazette","2"]}');
  });
  it('shows no user data on a host page, and links to the app', () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 39))), { embedded: true }));
    expect(all(root, '[aria-label=Star], .chips, .dot, .key').length).to.equal(0);
    const link = root.querySelector('.post-name a');
    expect(link?.getAttribute('href')).to.equal('https://app.example/channel/u1');
    expect(link?.getAttribute('target')).to.equal('_blank');
  });
  it('moves the read marker when all posts down to it were seen', async () => {
    const short = [40, 39, 38].map((id) => post(id, { text: 'Short.' }));
    const services = readingServices(stubList(loaded(short)), { marks: { 1: 38 } });
    mount(services);
    await waitUntil(() => services.marks.get().get('1') === 40, 'the mark moved');
  });
  it('marks nothing as read in a list of media', async () => {
    const services = readingServices(stubList(loaded([post(40, { text: 'Short.' })])), { marks: { 1: 38 } });
    const root = mount(services, { show: 'media' });
    let checks = 0;
    await waitUntil(() => ++checks > 20, 'a second went by');
    expect(services.calls.filter((call) => call.startsWith('read'))).to.deep.equal([]);
    expect(all(root, '.dot').length).to.equal(1);
  });
  it('renders no divider on a first visit, whatever is read then', async () => {
    const services = readingServices(stubList(loaded(posts(40, 1))));
    const root = mount(services);
    services.marks.set(new Map([['1', 30]]));
    await waitUntil(() => all(root, '.dot').length === 10, 'posts up to the marker are read');
    expect(root.querySelector('.divider')).to.equal(null);
  });
  it('shows the unread posts above the divider, with their dots', () => {
    const root = mount(readingServices(stubList(loaded(posts(40, 31))), { marks: { 1: 37 } }));
    expect(all(root, '.dot').length).to.equal(3);
  });
});

describe('dividerIndex', () => {
  const arrival = (marks: Record<string, number>, ...channels: { id: string; latest: { id: number; date: number } }[]) => ({
    readMarkers: new Map(Object.entries(marks)),
    channels,
  });
  const gazette = { id: '1', latest: { id: 40, date: 4000 } };
  it('is below the last new post', () => {
    expect(dividerIndex(posts(40, 31), arrival({ 1: 37 }, gazette), false)).to.equal(3);
  });
  it('waits while new posts of a channel may follow below', () => {
    expect(dividerIndex(posts(40, 38), arrival({ 1: 30 }, gazette), false)).to.equal(null);
    expect(
      dividerIndex(posts(40, 31), arrival({ 1: 37, 2: 5 }, gazette, { id: '2', latest: { id: 9, date: 1 } }), false),
    ).to.equal(null);
    expect(dividerIndex(posts(40, 38), arrival({ 1: 30 }, gazette), true)).to.equal(3);
  });
  it('is null when nothing is new, and on a first visit', () => {
    expect(dividerIndex(posts(40, 31), arrival({ 1: 40 }, gazette), true)).to.equal(null);
    expect(dividerIndex(posts(40, 31), arrival({}, GAZETTE as typeof gazette), true)).to.equal(null);
  });
});

describe('readUpTo', () => {
  const marks = new Map([['1', 37]]);
  it('stops below the oldest unread post that was not seen', () => {
    expect(readUpTo(posts(40, 31), '1', marks, new Set([40, 39]), false)).to.equal(null);
    expect(readUpTo(posts(40, 31), '1', marks, new Set([38, 40]), false)).to.equal(38);
    expect(readUpTo(posts(40, 31), '1', marks, new Set([38, 39, 40]), false)).to.equal(40);
  });
  it('does not move past posts that are not loaded', () => {
    expect(readUpTo(posts(40, 39), '1', marks, new Set([39, 40]), false)).to.equal(null);
  });
  it('waits for the read marker of a channel', () => {
    expect(readUpTo(posts(40, 31), '1', new Map(), new Set([39]), true)).to.equal(null);
  });
});
