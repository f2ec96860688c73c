// Day headings: date separators between posts.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import '../../../elements/changer-feed.ts';
import type { Post } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { placeDayHeadings, writeDayHeadings } from '../../../src/app/inline/day-headings.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { loaded, post, type ReadingServices, readingServices, type StubList, stubList } from './reading-services.ts';

let mounted: HTMLElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
});

const DAY = 86_400;
const now = new Date();
/** Returns noon of the day this many days ago, in unix seconds. */
const noon = (ago: number): number => new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago, 12).getTime() / 1000;
const LONG_AGO = new Date(2020, 10, 12, 9).getTime() / 1000;

const posted = (...dates: readonly number[]): Post[] =>
  dates.map((date, index) => post(dates.length - index, { date, text: `Post ${dates.length - index}` }));

function mount(
  name: 'changer-channel' | 'changer-feed',
  services: ReadingServices,
  params: Readonly<Record<string, string>> = {},
) {
  const element = document.createElement(name) as ChangerElement;
  mounted = element;
  element.services = services;
  element.params = params;
  if (name === 'changer-channel') element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

const days = (root: ParentNode): (readonly [heading: string, key: string | undefined])[] =>
  [...root.querySelectorAll('h2.day')].map((heading) => [
    heading.textContent ?? '',
    heading.closest<HTMLElement>('article')?.dataset.key,
  ]);

describe('day headings', () => {
  for (const name of ['changer-channel', 'changer-feed'] as const)
    it(`are rendered in ${name} inside the first post of each day, as headings`, async () => {
      const list = stubList(loaded(posted(noon(0), noon(1) + 60, noon(1), LONG_AGO)));
      const root = mount(name, readingServices(list));
      await waitUntil(() => root.querySelectorAll('article').length === 4);
      const shown = days(root);
      expect(shown.map(([, key]) => key)).to.deep.equal(['1/4', '1/3', '1/1']);
      expect(shown.map(([heading]) => heading).slice(0, 2)).to.deep.equal(['Today', 'Yesterday']);
      expect(shown[2]?.[0]).to.match(/2020/);
      const [feed] = root.querySelectorAll('[role=feed]');
      expect(feed?.querySelectorAll('h2.day').length).to.equal(3);
    });
  it('omit the year in the current year', async () => {
    const date = noon(now.getMonth() > 0 ? 20 : 0);
    const root = mount('changer-channel', readingServices(stubList(loaded(posted(date)))));
    await waitUntil(() => days(root).length === 1);
    if (new Date(date * 1000).getFullYear() === now.getFullYear())
      expect(days(root)[0]?.[0]).not.to.contain(String(now.getFullYear()));
  });
  it('are above the post, and do not move the post when a newer post of the day takes the heading over', async () => {
    const list: StubList = stubList(loaded(posted(noon(0), noon(1), noon(1) - 60, noon(1) - 120, noon(2))));
    const root = mount('changer-channel', readingServices(list));
    await waitUntil(() => days(root).length === 3);
    const article = root.querySelector<HTMLElement>('[data-key="1/4"]');
    const heading = article?.querySelector('.day');
    if (!article || !heading) throw new Error('no heading');
    expect(heading.getBoundingClientRect().bottom).to.be.closeTo(article.getBoundingClientRect().top, 2);
    const previous = root.querySelector('[data-key="1/5"]');
    expect(heading.getBoundingClientRect().top).to.be.at.least((previous?.getBoundingClientRect().bottom ?? 0) - 1);
    const state = list.state.get();
    if (state.type !== 'loaded') throw new Error('not loaded');
    list.state.set({ ...state, posts: [post(9, { date: noon(0) + 60, text: 'Post 9' }), ...state.posts] });
    await waitUntil(() => days(root)[0]?.[1] === '1/9');
    expect(days(root).map(([, key]) => key)).to.deep.equal(['1/9', '1/4', '1/1']);
  });
  it('are rendered in a list of titles too', async () => {
    const services = readingServices(stubList(loaded(posted(noon(0), noon(1)))));
    const list = createSignal<'posts' | 'titles'>('titles');
    const appearance = { theme: createSignal(null), textSize: createSignal(100 as const), listView: list };
    const root = mount('changer-channel', { ...services, environment: { ...services.environment, appearance } });
    await waitUntil(() => root.querySelectorAll('.row').length === 2);
    expect(days(root).map(([heading]) => heading)).to.deep.equal(['Today', 'Yesterday']);
  });
  it('are not rendered in a list that is not sorted by date, or on a host page', async () => {
    const starred = mount('changer-feed', readingServices(stubList(loaded(posted(noon(0), noon(1))))), { show: 'starred' });
    await waitUntil(() => starred.querySelectorAll('article').length === 2);
    expect(days(starred)).to.deep.equal([]);
    mounted?.remove();
    const services = readingServices(stubList(loaded(posted(noon(0), noon(1)))));
    const root = mount('changer-channel', { ...services, environment: { ...services.environment, embedded: true } });
    await waitUntil(() => root.querySelectorAll('article').length === 2);
    expect(days(root)).to.deep.equal([]);
  });
});

describe('day headings of a prerendered page', () => {
  function rendered(dates: readonly number[], headings: readonly number[]): HTMLElement {
    const page = document.createElement('div');
    const feed = document.createElement('div');
    feed.dataset.days = 'true';
    for (const [at, date] of dates.entries()) {
      const article = document.createElement('article');
      article.dataset.date = String(date);
      article.dataset.key = String(at);
      if (headings.includes(at)) {
        article.className = 'post day-start';
        article.append(Object.assign(document.createElement('h2'), { className: 'day', textContent: 'Of the server' }));
      }
      feed.append(article);
    }
    page.append(feed);
    return page;
  }
  it('move to the day changes in the time zone of the user, and then get their text', () => {
    const page = rendered([noon(0), noon(1) + 60, noon(1), noon(1) - 60, LONG_AGO - DAY], [0, 2, 4]);
    placeDayHeadings(page);
    expect(days(page).map(([, key]) => key)).to.deep.equal(['0', '1', '4']);
    expect([...page.querySelectorAll<HTMLElement>('.day-start')].map(({ dataset }) => dataset.key)).to.deep.equal([
      '0',
      '1',
      '4',
    ]);
    writeDayHeadings(page, 'en');
    expect(days(page)[0]?.[0]).to.equal('Today');
    expect(days(page)[1]?.[0]).to.equal('Yesterday');
    expect(days(page)[2]?.[0]).to.contain('2020');
  });
  it('are not added to a list that is not sorted by date', () => {
    const page = rendered([noon(0)], []);
    page.querySelector('[data-days]')?.removeAttribute('data-days');
    placeDayHeadings(page);
    expect(days(page)).to.deep.equal([]);
  });
});
