// Search: changer-search, and the search in the feed and in a channel.

import { expect, waitUntil } from '@open-wc/testing';
import axe from 'axe-core';
import '../../../elements/changer-channel.ts';
import '../../../elements/changer-feed.ts';
import '../../../elements/changer-search.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { searchOf } from '../../../src/data/queries/search.ts';
import type { KeyValueStore } from '../../../src/storage/key-value-store.ts';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';
import { closeDataClients, openDataClient, openMemoryDataClient } from '../data/data-client-fixture.ts';
import { FakeServer, makeChannel, makePost } from '../data/fake-server.ts';
import { stubServices } from './dial-services.ts';

/** Creates two channels with a few posts about the sea. */
function makeServer(): FakeServer {
  const server = new FakeServer();
  server.channels = [
    makeChannel('1', { title: 'Harbour Gazette', username: 'harbour' }),
    makeChannel('2', { title: 'Night Sky' }),
  ];
  server.posts = [
    makePost('1', 1, { text: 'Tides of the week, by Ida Stone #Tides', entities: [{ type: 'hashtag', offset: 32, length: 6 }] }),
    makePost('1', 2, { text: 'The ferry leaves with the tide', media: [{ type: 'photo', messageId: 2, width: 4, height: 3 }] }),
    makePost('2', 3, { text: 'Moon and tide' }),
    makePost('2', 4, { text: 'Stars tonight' }),
  ];
  return server;
}

let mounted: ChangerElement | null = null;
let server = new FakeServer();
let calls: string[] = [];
beforeEach(() => {
  server = makeServer();
  calls = [];
});
afterEach(async () => {
  mounted?.remove();
  mounted = null;
  localStorage.removeItem('channel-changer.single-keys');
  await closeDataClients();
});

type Tag = 'changer-search' | 'changer-feed' | 'changer-channel';
type Params = Readonly<Record<string, string>>;

/** Mounts a tag as the app does, with params of its address, or as a third-party page does, without. */
function mount(
  tag: Tag,
  params: Params | null,
  attributes: Params = {},
  dataClient: DataClientControl = openMemoryDataClient(server),
): ShadowRoot {
  const stub = stubServices({ embedded: params === null });
  calls = stub.calls;
  const element: ChangerElement = document.createElement(tag);
  mounted = element;
  const site = {
    ...stub.environment,
    baseUrl: params === null ? 'https://app.example' : '',
    navigate(path: string, options?: { replace?: boolean }) {
      calls.push(`${options?.replace ? 'replace' : 'push'} ${path}`);
      if (path.startsWith('/main')) element.params = Object.fromEntries(new URL(path, location.origin).searchParams);
    },
  };
  element.services = { ...stub, environment: site, dataClient };
  if (params !== null) element.params = params;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

const fieldOf = async (root: ShadowRoot): Promise<HTMLInputElement> => {
  await waitUntil(() => root.querySelector('input[type=search]') !== null, 'a field is there');
  const field = root.querySelector<HTMLInputElement>('input[type=search]');
  if (field === null) throw new Error('no field');
  return field;
};
function type(field: HTMLInputElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}
const press = (on: EventTarget, key: string, more: KeyboardEventInit = {}) =>
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }));
const foundKeys = (root: ShadowRoot): string[] =>
  [...root.querySelectorAll('article')].map((article) => article.getAttribute('data-key') ?? '');
const finds = (root: ShadowRoot, keys: readonly string[]) =>
  waitUntil(() => foundKeys(root).join() === keys.join(), `finds ${keys}`);
const button = (root: ShadowRoot, name: string): HTMLElement => {
  const all = [...root.querySelectorAll<HTMLElement>('button, a')];
  const one = all.find((each) => (each.getAttribute('aria-label') ?? each.textContent)?.trim() === name);
  if (one === undefined) throw new Error(`no button ${name}; there are ${all.map((each) => each.textContent).join(', ')}`);
  return one;
};
const named = async (root: ShadowRoot, name: string): Promise<HTMLElement> => {
  await waitUntil(
    () =>
      [...root.querySelectorAll('button, a')].some(
        (each) => (each.getAttribute('aria-label') ?? each.textContent)?.trim() === name,
      ),
    `${name} is there`,
  );
  return button(root, name);
};
const steps = () => calls.filter((call) => /^(push|replace) /.test(call));

describe('search in changer-feed', () => {
  it('focuses the empty field', async () => {
    const root = mount('changer-feed', { search: '' });
    const field = await fieldOf(root);
    await waitUntil(() => root.activeElement === field);
    expect(field.value).to.equal('');
  });
  it('shows results as the user types, and their count', async () => {
    const root = mount('changer-feed', { search: '' });
    const field = await fieldOf(root);
    type(field, 'tide');
    await finds(root, ['2/3', '1/2']);
    expect(root.querySelector('.search-status p')?.textContent).to.equal('2 posts found, newest first');
    expect(steps()).to.deep.equal(['replace /main?search=tide']);
  });
  it('adds a history entry for a submitted query, and replaces it while the user types', async () => {
    const root = mount('changer-feed', { search: '' });
    const field = await fieldOf(root);
    type(field, 'tide');
    await finds(root, ['2/3', '1/2']);
    field.form?.requestSubmit();
    type(field, 'moon');
    await waitUntil(() => steps().length === 2);
    type(field, 'stars');
    await waitUntil(() => steps().length === 3);
    expect(steps()).to.deep.equal(['replace /main?search=tide', 'push /main?search=moon', 'replace /main?search=stars']);
  });
  it('sends one request for text typed without a pause', async () => {
    const root = mount('changer-feed', { search: '' });
    const field = await fieldOf(root);
    for (const text of ['M', 'Mo', 'Moo', 'Moon']) type(field, text);
    await finds(root, ['2/3']);
    expect(server.requestsTo('GET /api/search')).to.deep.equal(['GET /api/search?q=Moon&limit=20']);
  });
  it('keeps the previous results, dimmed, until the new ones arrive', async () => {
    const root = mount('changer-feed', { search: 'Moon' });
    await finds(root, ['2/3']);
    server.hold('GET /api/search');
    type(await fieldOf(root), 'ferry');
    await waitUntil(() => root.querySelector('.results')?.getAttribute('aria-busy') === 'true');
    expect(foundKeys(root)).to.deep.equal(['2/3']);
    expect(root.querySelector('.skeletons')).to.equal(null);
    server.release();
    await finds(root, ['1/2']);
    expect(root.querySelector('.results')?.getAttribute('aria-busy')).to.equal('false');
  });
  it('aborts a request when another search replaces it, and requests again when it is needed', async () => {
    const root = mount('changer-feed', { search: 'Moon' });
    await finds(root, ['2/3']);
    server.hold('GET /api/search?q=ferry');
    const field = await fieldOf(root);
    type(field, 'ferry');
    await waitUntil(() => server.requestsTo('GET /api/search?q=ferry').length === 1);
    type(field, 'Moon');
    await finds(root, ['2/3']);
    await waitUntil(() => server.aborted.includes('GET /api/search?q=ferry&limit=20'), 'the former was given up');
    server.release();
    type(field, 'ferry');
    await finds(root, ['1/2']);
    expect(server.requestsTo('GET /api/search?q=ferry')).to.have.length(2);
  });
  it('highlights the matches that the server returned, and guesses when it returned none', async () => {
    server.hits = { '1/2': [4, 9] };
    const root = mount('changer-feed', { search: 'ferry' });
    await finds(root, ['1/2']);
    expect(root.querySelector('mark')?.textContent).to.equal('ferry');
    mounted?.remove();
    server.hits = undefined;
    const guessed = mount('changer-feed', { search: 'tide' });
    await finds(guessed, ['2/3', '1/2']);
    expect([...guessed.querySelectorAll('mark')].map((mark) => mark.textContent)).to.deep.equal(['tide', 'tide']);
  });
  it('filters by channel, kind and dates, and removes each filter', async () => {
    const root = mount('changer-feed', { search: 'tide' });
    await finds(root, ['2/3', '1/2']);
    button(root, 'Channels').click();
    await waitUntil(() => root.querySelector('dialog[open] .choice') !== null);
    const box = [...root.querySelectorAll<HTMLElement>('.choice')].find((one) => one.textContent?.includes('Harbour'));
    box?.querySelector<HTMLElement>('input')?.click();
    await finds(root, ['1/2']);
    button(root, 'Show results').click();
    await waitUntil(() => root.querySelector('dialog') === null);
    button(root, 'Kind').click();
    await waitUntil(() => root.querySelector('dialog[open] .choice') !== null);
    root.querySelector<HTMLElement>('.choice input')?.click();
    await waitUntil(() => server.requestsTo('GET /api/search').at(-1)?.includes('media=photo'));
    expect(steps()).to.deep.equal([
      'push /main?search=tide&channels=harbour',
      'push /main?search=tide&channels=harbour&media=photo',
    ]);
    root.querySelector('dialog')?.close();
    await waitUntil(() => root.querySelector('dialog') === null);
    (await named(root, 'Remove the filter Harbour Gazette')).click();
    await waitUntil(() => steps().at(-1) === 'push /main?search=tide&media=photo');
    expect(root.activeElement?.textContent).to.equal('Channels');
  });
  it('interprets days in the time zone of the user', async () => {
    const root = mount('changer-feed', { search: 'tide', from: '2026-01-01', to: '2026-01-31' });
    await waitUntil(() => server.requestsTo('GET /api/search').length === 1);
    const sentParams = new URLSearchParams(server.log.at(-1)?.split('?')[1]);
    expect(Number(sentParams.get('from'))).to.equal(new Date(2026, 0, 1).getTime() / 1000);
    expect(Number(sentParams.get('to'))).to.equal(new Date(2026, 1, 1).getTime() / 1000 - 1);
    await waitUntil(() => root.querySelector('.filter-on') !== null);
    expect(root.querySelector('.filter-on')?.textContent).to.match(/1\D+31.*2026/);
  });
  it('sends no more characters than the server accepts', async () => {
    const root = mount('changer-feed', { search: 'ab '.repeat(100) });
    await waitUntil(() => server.requestsTo('GET /api/search').length === 1);
    expect(new URLSearchParams(server.log.at(-1)?.split('?')[1]).get('q')?.length).to.be.within(190, 200);
    expect((await fieldOf(root)).maxLength).to.equal(200);
  });
  it('searches the days between two dates, in either order', async () => {
    const root = mount('changer-feed', { search: 'tide', from: '2026-01-31', to: '2026-01-01' });
    await waitUntil(() => server.requestsTo('GET /api/search').length === 1);
    const sentParams = new URLSearchParams(server.log.at(-1)?.split('?')[1]);
    expect(Number(sentParams.get('from'))).to.equal(new Date(2026, 0, 1).getTime() / 1000);
    expect(Number(sentParams.get('to'))).to.equal(new Date(2026, 1, 1).getTime() / 1000 - 1);
    await waitUntil(() => root.querySelector('.filter-on')?.textContent?.match(/1\D+31.*2026/) !== null);
  });
  it('replaces the filter chips of two channels with the same title when a third is chosen', async () => {
    server.channels = ['91', '92', '93'].map((id) => makeChannel(id, { title: 'Twin' }));
    const root = mount('changer-feed', { search: 'tide', channels: '91,92' });
    const chips = () => [...root.querySelectorAll('.filter-on')].map((chip) => chip.textContent).join();
    await waitUntil(() => chips() === 'Twin,Twin');
    if (mounted !== null) mounted.params = { search: 'tide', channels: '91,92,93' };
    await waitUntil(() => chips().includes('3 channels'));
    expect(chips()).to.equal('3 channels');
  });
  it('groups many channels in one filter chip, which removes all of them', async () => {
    const root = mount('changer-feed', { search: 'tide', channels: 'harbour,2,3' });
    (await named(root, 'Remove the filter 3 channels')).click();
    await waitUntil(() => steps().at(-1) === 'push /main?search=tide');
  });
  it('evicts the results of old queries, and keeps the last', async () => {
    const dataClient = openMemoryDataClient(server);
    const root = mount('changer-feed', { search: 'tide' }, {}, dataClient);
    await finds(root, ['2/3', '1/2']);
    const search = searchOf(dataClient);
    const lists = () => dataClient.context?.cache.all('search') ?? [];
    const [first] = lists();
    for (let at = 0; at < 40; at++) search?.list({ q: `word ${at}` });
    expect(lists()).to.have.length(12);
    expect(lists()).to.include(first, 'what is shown stays');
    expect(search?.list({ q: 'word 39' })).to.equal(search?.list({ q: 'word 39' }));
  });
  it('says that nothing was found, and suggests what to try', async () => {
    const root = mount('changer-feed', { search: 'Moon zebra', channels: 'harbour', media: 'poll' });
    await waitUntil(() => root.querySelector('.empty') !== null);
    expect(root.querySelector('[role=status]')?.textContent).to.equal('Nothing found');
    button(root, 'Search for “Moon”').click();
    await waitUntil(() => steps().at(-1) === 'push /main?search=Moon&channels=harbour&media=poll');
    (await named(root, 'Remove all filters')).click();
    await finds(root, ['2/3']);
    expect(root.activeElement?.localName).to.equal('h1');
  });
  it('says what went wrong, and retries', async () => {
    server.reachability = { status: 500, detail: 'The store is closed.' };
    const root = mount('changer-feed', { search: 'Moon' });
    await waitUntil(() => root.querySelector('.empty')?.textContent?.includes('The server cannot answer just now.'));
    expect(root.textContent).not.to.contain('The store is closed.');
    server.reachability = 'up';
    button(root, 'Try again').click();
    await finds(root, ['2/3']);
  });
  it('says so, and retries, when the response cannot be parsed', async () => {
    const { get } = server.client;
    Object.assign(server.client, {
      get: (...args: Parameters<typeof get>) => (args[0] === '/api/search' ? Promise.resolve({ items: 7 }) : get(...args)),
    });
    const root = mount('changer-feed', { search: 'Moon' });
    await waitUntil(() => root.querySelector('.empty') !== null, 'the message is shown');
    Object.assign(server.client, { get });
    button(root, 'Try again').click();
    await finds(root, ['2/3']);
  });
  it('stores recent searches on this device, and deletes them on request', async () => {
    const root = mount('changer-feed', { search: '' }, {}, openDataClient(server));
    const field = await fieldOf(root);
    type(field, 'Moon');
    field.form?.requestSubmit();
    await finds(root, ['2/3']);
    mounted?.remove();
    const later = mount('changer-feed', { search: '' }, {}, openDataClient(server));
    await waitUntil(() => later.querySelector('.recent button') !== null);
    expect(later.querySelector('.recent')?.textContent).to.equal('Moon');
    button(later, 'Clear').click();
    await waitUntil(() => later.querySelector('.recent') === null);
    mounted?.remove();
    const last = mount('changer-feed', { search: '' }, {}, openDataClient(server));
    await fieldOf(last);
    await waitUntil(() => last.querySelector('.start-chips') !== null);
    expect(last.querySelector('.recent')).to.equal(null);
  });
  it('searches the stored posts when no server responds, says so, and requests again when one does', async () => {
    const dataClient = openDataClient(server);
    const root = mount('changer-feed', { search: 'tide' }, {}, dataClient);
    dataClient.directory.subscribe(() => {});
    await finds(root, ['2/3', '1/2']);
    await waitUntil(() => dataClient.directory.get().type === 'loaded');
    server.reachability = 'down';
    type(await fieldOf(root), 'moon');
    await finds(root, ['2/3']);
    expect(root.querySelector('.notice')?.textContent).to.contain('only posts saved on this device');
    server.reachability = 'up';
    await dataClient.refresh();
    await waitUntil(() => root.querySelector('.notice') === null);
  });
  it('finds stored posts in every script, however they are spelled', async () => {
    const texts = ['Ёлка на площади', 'مُدِينَة الأخبار', '北京的新闻', 'Café au lait', 'עולם', 'Чай — «дома» 🍵'.normalize('NFD')];
    server.posts = texts.map((text, at) => makePost('1', at + 1, { text }));
    const dataClient = openDataClient(server);
    const root = mount('changer-feed', { search: '' }, {}, dataClient);
    dataClient.directory.subscribe(() => {});
    const all = dataClient.posts('1', {});
    const stop = all.subscribe(() => {});
    await waitUntil(() => dataClient.directory.get().type === 'loaded' && all.get().type === 'loaded');
    server.reachability = 'down';
    const queries = { елка: 1, ПЛОЩАД: 1, مدينه: 2, الاخبار: 2, 新闻: 3, 'CAFE lait': 4, עולמ: 5, 'чай дома': 6 };
    for (const [query, id] of Object.entries(queries)) {
      type(await fieldOf(root), query);
      await finds(root, [`1/${id}`]);
    }
    stop();
  });
  it('reads stored posts in batches, so that key presses are handled between them, and finds the oldest', async () => {
    server.posts = Array.from({ length: 450 }, (_, at) => makePost('1', at + 1, { text: at === 0 ? 'Anchor' : 'Tide' }));
    const storage = createMemoryStorage();
    const pageSizes: (number | undefined)[] = [];
    const list: KeyValueStore['list'] = (prefix, options) => {
      if (prefix.startsWith('post/')) pageSizes.push(options?.last);
      return storage.public.list(prefix, options);
    };
    const dataClient = openDataClient(server, null, { kept: { ...storage, public: { ...storage.public, list } } });
    await dataClient.context?.offline.writeChannels(server.channels);
    await dataClient.context?.offline.writePosts({ items: server.posts, channels: server.channels });
    server.reachability = 'down';
    await finds(mount('changer-feed', { search: 'anchor' }, {}, dataClient), ['1/1']);
    expect(pageSizes.length).to.be.greaterThan(2);
    expect(pageSizes.every((last = Number.POSITIVE_INFINITY) => last <= 200)).to.equal(true);
  });
  it('clears the field on Escape, then leaves the search', async () => {
    const root = mount('changer-feed', { search: 'Moon' });
    const field = await fieldOf(root);
    await finds(root, ['2/3']);
    press(field, 'Escape');
    await waitUntil(() => steps().at(-1) === 'push /main?search');
    expect(field.value).to.equal('');
    press(field, 'Escape');
    await waitUntil(() => root.querySelector('.feed-page') !== null);
  });
  it('opens on /, also when the keyboard layout has another letter there, and not when single-key shortcuts are off', async () => {
    const root = mount('changer-feed', {});
    const goes = async () => {
      press(document, '/');
      return steps().length > 0;
    };
    // The key is part of the search chunk, which is loaded when the page is idle.
    await waitUntil(goes, 'the key works');
    await fieldOf(root);
    root.activeElement?.dispatchEvent(new FocusEvent('blur'));
    localStorage.setItem('channel-changer.single-keys', 'off');
    const before = steps().length;
    press(document, '/');
    expect(steps().length).to.equal(before);
    localStorage.removeItem('channel-changer.single-keys');
    (await fieldOf(root)).blur();
    press(document, '.', { code: 'Slash' });
    await waitUntil(() => root.activeElement?.localName === 'input');
    expect(press(root.activeElement ?? root, '/')).to.equal(true);
  });
});

describe('search in changer-channel', () => {
  it('searches its own channel, and links to a search in all', async () => {
    const root = mount('changer-channel', { id: '1', q: 'tide' });
    await finds(root, ['1/2']);
    expect(server.requestsTo('GET /api/search')).to.deep.equal(['GET /api/search?q=tide&channels=1&limit=20']);
    expect(button(root, 'Search in all channels').getAttribute('href')).to.equal('/main?search=tide');
  });
  it('filters by kind in addition to the text', async () => {
    const root = mount('changer-channel', { id: '1', q: 'tide', media: 'photo' });
    await finds(root, ['1/2']);
    expect(server.log.at(-1)).to.contain('media=photo');
    button(root, 'Remove the filter Photos').click();
    await waitUntil(() => steps().at(-1) === 'push /channel/harbour?q=tide');
  });
  it('focuses its field on /', async () => {
    const root = mount('changer-channel', { id: '1' });
    await fieldOf(root);
    press(document, '/');
    await waitUntil(() => root.activeElement?.localName === 'input');
  });
  it('links a hashtag to its own search, and in the feed to the search in all channels', async () => {
    const own = mount('changer-channel', { id: '1' });
    await waitUntil(() => own.querySelector('.text a') !== null);
    expect(own.querySelector('.text a')?.getAttribute('href')).to.equal('/channel/harbour?q=%23Tides');
    mounted?.remove();
    const feed = mount('changer-feed', {});
    await waitUntil(() => feed.querySelector('.text a') !== null);
    expect(feed.querySelector('.text a')?.getAttribute('href')).to.equal('/main?search=%23Tides');
  });
});

describe('changer-search', () => {
  it('searches in place, in its named channels, and links to the app', async () => {
    const root = mount('changer-search', null, { channels: '2', q: 'tide' });
    await finds(root, ['2/3']);
    expect(root.querySelector('.post-facts a')?.getAttribute('href')).to.equal('https://app.example/channel/2?post=3');
    type(await fieldOf(root), 'Stars');
    await finds(root, ['2/4']);
    expect(steps()).to.deep.equal([]);
    button(root, 'Channels').click();
    await waitUntil(() => root.querySelector('dialog[open] .choice') !== null);
    expect(root.querySelector('.choices')?.textContent).not.to.contain('Harbour');
  });
  it('takes no focus and no key, and stores nothing', async () => {
    const root = mount('changer-search', null, {});
    const field = await fieldOf(root);
    await waitUntil(() => root.querySelector('.start-chips') !== null);
    expect(document.activeElement).to.equal(document.body);
    press(document, '/');
    expect(document.activeElement).to.equal(document.body);
    type(field, 'Moon');
    field.form?.requestSubmit();
    await finds(root, ['2/3']);
    type(field, '');
    await waitUntil(() => root.querySelector('.start-chips') !== null);
    expect(root.querySelector('.recent')).to.equal(null);
  });
});

describe('axe on a search', () => {
  const params = (query: string): Params => Object.fromEntries(new URLSearchParams(query));
  const opens = async (root: ShadowRoot, at: number): Promise<void> => {
    await waitUntil(() => root.querySelector('.filters button') !== null);
    root.querySelectorAll<HTMLElement>('.filters button')[at]?.click();
  };
  const states: Readonly<Record<string, readonly [query: string, seen: string, act?: (root: ShadowRoot) => Promise<void>]>> = {
    'before anything is asked': ['search', '.start-chips'],
    'with results and every filter': ['search=tide&channels=harbour&media=photo&from=2020-01-01', 'mark'],
    'without a match': ['search=zebra+tide&media=poll', '.empty'],
    'choosing channels': ['search=tide', 'dialog[open] .avatar', (root) => opens(root, 0)],
    'choosing kinds': ['search=tide', 'dialog[open] .choice', (root) => opens(root, 1)],
    'choosing dates': ['search=tide', 'dialog[open] input[type=date]', (root) => opens(root, 2)],
  };
  const rules = { 'page-has-heading-one': { enabled: false }, region: { enabled: false }, 'target-size': { enabled: true } };
  for (const [name, [query, selector, action]] of Object.entries(states)) {
    for (const [lang, theme] of [
      ['en', 'light'],
      ['ar', 'dark'],
    ] as const) {
      it(`reports no violation ${name}, ${lang}, ${theme}`, async () => {
        const root = mount('changer-feed', params(query), { lang, theme });
        await action?.(root);
        await waitUntil(() => root.querySelector(selector) !== null, `${selector} is there`);
        await Promise.all(root.getAnimations().map((animation) => animation.finished));
        const { violations } = await axe.run(mounted ?? document, { resultTypes: ['violations'], rules });
        const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.flat().at(-1)}`));
        expect(faults).to.deep.equal([]);
      });
    }
  }
});
