// Import and export of a line-up: feed addresses, OPML and shared links.

import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-dial.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { AppServices } from '../../../src/context/services.ts';
import { encodeLineupLink } from '../../../src/features/import-export/model/lineup-link.ts';
import type { Host } from '../../../src/platform/platform.ts';
import { channel, type StubServices } from './dial-services.ts';
import { exchangeServices, feedChannel, feedId } from './import-export-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
});

function mount(services: AppServices, params: Readonly<Record<string, string>> = {}): ChangerElement {
  mounted = document.createElement('changer-dial');
  mounted.services = services;
  mounted.params = params;
  document.body.append(mounted);
  return mounted;
}

const all = (dial: Element, selector: string) => [...(dial.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const texts = (dial: Element, selector: string) => all(dial, selector).map((each) => each.textContent ?? '');
const nameOf = (control: HTMLElement) =>
  control.getAttribute('aria-label') ?? control.querySelector('b')?.textContent ?? control.textContent;
const named = (dial: Element, name: string) => all(dial, 'button').find((each) => nameOf(each) === name);
const waitUntilShown = (dial: Element, selector: string) =>
  waitUntil(() => all(dial, selector).length > 0, `${selector} is there`);
const waitUntilText = (dial: Element, selector: string, text: string | RegExp) =>
  waitUntil(() => texts(dial, selector).join().match(text), `${selector} says ${text}: ${texts(dial, selector)}`);
async function click(dial: Element, name: string): Promise<void> {
  await waitUntil(() => named(dial, name) !== undefined, `there is ${name}`);
  const control = named(dial, name);
  control?.focus();
  control?.click();
  await aTimeout(0);
}
function type(dial: Element, selector: string, text: string): void {
  const field = all(dial, selector)[0];
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw new Error(`no ${selector}`);
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
  field.focus();
  set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
const followed = ({ signals }: StubServices) =>
  signals.contents.get().entries.flatMap(({ channelId, followed }) => (followed === false ? [] : channelId));
const entryOf = ({ signals }: StubServices, id: string) =>
  signals.contents.get().entries.find(({ channelId }) => channelId === id);
const focused = (dial: Element) => dial.shadowRoot?.activeElement;
const toast = (dial: Element) => texts(dial, '.toast').join();
const NO_FEED = 'There is nothing to follow at this address: it may be mistyped, not public, or lead to no feed.';
const ALL = ['1', '2', '3', '4', '5', '6', '7'];

describe('adding a feed by its URL', () => {
  const FIELD = '.add-feed input';
  async function add(dial: Element, text: string): Promise<void> {
    await waitUntilShown(dial, FIELD);
    type(dial, FIELD, text);
    await aTimeout(0);
    all(dial, '.add-feed')[0]?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
    await aTimeout(0);
  }
  const typed = (dial: Element) => (all(dial, FIELD)[0] as HTMLInputElement | undefined)?.value;

  it('follows the feed at once, under the URL that the user entered, with undo', async () => {
    const services = exchangeServices();
    const dial = mount(services);
    await add(dial, ' tides.example/feed ');
    const id = feedId('https://tides.example/feed');
    await waitUntil(() => followed(services).includes(id));
    expect(entryOf(services, id)?.feed).to.equal('https://tides.example/feed');
    expect(toast(dial)).to.match(/tides\.example is in your line-up now.*Undo/);
    expect(typed(dial)).to.equal('');
    expect(focused(dial)?.matches(FIELD)).to.equal(true);
    await click(dial, 'Undo');
    expect(followed(services)).to.deep.equal(ALL);
  });

  it('explains in plain words why the feed could not be added, and keeps the typed text', async () => {
    const thrown = { 'https://tides.example/': [new ApiError('This is a page, and it names no feed.', 422)] };
    const services = exchangeServices({}, { thrown });
    const dial = mount(services);
    await add(dial, 'tides.example');
    await waitUntilText(dial, '.add-feed .error', NO_FEED);
    expect(typed(dial)).to.equal('tides.example');
    expect(followed(services)).to.deep.equal(ALL);
    await add(dial, 'tides.example');
    await waitUntil(() => followed(services).length === 8);
    expect(texts(dial, '.add-feed .error')).to.deep.equal(['']);
  });

  for (const [status, text] of [
    [403, /^This site accepts no more feeds/],
    [429, /^That was too much at once/],
    [503, /^The server cannot answer just now/],
  ] as const)
    it(`explains status ${status}`, async () => {
      const thrown = { 'https://tides.example/': [new ApiError(`Request failed with status code ${status}`, status)] };
      const dial = mount(exchangeServices({}, { thrown }));
      await add(dial, 'tides.example');
      await waitUntilText(dial, '.add-feed .error', text);
      expect(texts(dial, '.add-feed .error').join()).not.to.contain('Request failed');
    });

  it('sends no request while offline, and keeps the URL, also across other pages', async () => {
    const services = exchangeServices();
    services.signals.connection.set('offline');
    await add(mount(services), 'tides.example');
    await waitUntilText(mounted ?? document.body, '.add-feed .error', /You are offline/);
    expect(services.requestedUrls).to.deep.equal([]);
    mounted?.remove();
    const later = mount(services);
    await waitUntilShown(later, FIELD);
    expect(typed(later)).to.equal('tides.example');
  });

  it('recognizes existing channels by their links, without a request', async () => {
    const services = exchangeServices({ off: ['5'] });
    const dial = mount(services);
    await add(dial, 'https://t.me/u2');
    await waitUntilText(dial, '.add-feed-hint', 'Orchard University is already in your line-up, as number 2.');
    await add(dial, '@u5');
    await waitUntil(() => followed(services).includes('5'));
    expect(entryOf(services, '5')?.feed).to.equal(undefined);
    expect(services.requestedUrls).to.deep.equal([]);
  });

  it('sends no request for text that is not a URL', async () => {
    const services = exchangeServices();
    const dial = mount(services);
    await add(dial, 'tides');
    await waitUntilText(dial, '.add-feed .error', /not a web address/);
    expect(services.requestedUrls).to.deep.equal([]);
  });

  it('is available when the site has no channels, and not in an embed', async () => {
    const services = exchangeServices();
    services.signals.lineup.set({ type: 'loaded', value: [], cachedAt: null });
    await waitUntilShown(mount(services), '.first .add-feed');
    mounted?.remove();
    const embedded = mount(exchangeServices({ embedded: true }), { lineup: encodeLineupLink({ name: '', channelIds: ['1'] }) });
    await waitUntilShown(embedded, '[data-row]');
    await aTimeout(50);
    expect(all(embedded, '.elsewhere, dialog')).to.deep.equal([]);
  });
});

describe('importing OPML', () => {
  const outline = (host: string, more = '') => `<outline text="${host}" xmlUrl="https://${host}/" ${more}/>`;
  const file = (body: string) => `<opml version="2.0"><body>${body}</body></opml>`;
  async function read(dial: Element, text: string): Promise<void> {
    await click(dial, 'Import OPML');
    await waitUntilShown(dial, 'dialog textarea');
    type(dial, 'dialog textarea', text);
    await click(dial, 'Read the text');
  }
  const rows = (dial: Element) => texts(dial, '.pick:last-of-type .pick-row:not(.pick-all)');
  const busy = (seconds: string) => new ApiError('Too many', 429, { response: { headers: { 'retry-after': seconds } } });

  it('shows what a file contains, which channels the user already has, and which cannot be added', async () => {
    const dial = mount(exchangeServices());
    const picked = new DataTransfer();
    const body = `${outline('a.example')}<outline text="Ours" type="link" url="${location.origin}/channel/u2"/><outline text="Odd" xmlUrl="mailto:a@b.example"/>`;
    picked.items.add(new File([file(body)], 'mine.opml'));
    await click(dial, 'Import OPML');
    await waitUntilShown(dial, 'dialog input[type=file]');
    const input = all(dial, 'dialog input[type=file]')[0] as HTMLInputElement;
    input.files = picked.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await waitUntilShown(dial, '.pick-row');
    expect(rows(dial)).to.deep.equal(['a.examplea.example', 'OursIn your line-up', 'OddNot a web address: mailto:a@b.example']);
    expect(focused(dial)?.textContent).to.equal('3 channels are in it. You have 1 already.');
    expect(named(dial, 'Import 1 channel')).not.to.equal(undefined);
  });

  it('accepts a dropped file, and says what is wrong with a file', async () => {
    const dial = mount(exchangeServices());
    await click(dial, 'Import OPML');
    await waitUntilShown(dial, '.drop');
    const drop = (content: BlobPart) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], 'x.opml'));
      all(dial, '.drop')[0]?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    };
    for (const [content, reason] of [
      ['<rss/>', /not OPML/],
      ['<opml>', /damaged/],
      [file(''), /no feed in it/],
      [new Uint8Array(5 * 1024 * 1024 + 1), /more than 5 MB/],
    ] as const) {
      drop(content);
      await waitUntilText(dial, 'dialog .error', reason);
    }
    drop(file(outline('a.example')));
    await waitUntilShown(dial, '.pick-row');
  });

  it('adds all feeds one after the other, as one action to undo, and folders as presets', async () => {
    const services = exchangeServices();
    const dial = mount(services);
    await read(
      dial,
      file(`<outline text="News">${outline('a.example')}${outline('b.example')}</outline>${outline('c.example')}`),
    );
    await click(dial, 'Import 3 channels');
    await waitUntilText(dial, 'dialog .sheet-note', '3 channels added.');
    const ids = ['a', 'b', 'c'].map((name) => feedId(`https://${name}.example/`));
    expect(followed(services)).to.deep.equal([...ALL, ...ids]);
    expect(services.dataClient.presets.get().map(({ name, channelIds }) => [name, ...channelIds])).to.deep.equal([
      ['News', ...ids.slice(0, 2)],
    ]);
    await click(dial, 'Done');
    expect(toast(dial)).to.match(/3 channels added.*Undo/);
    await click(dial, 'Undo');
    expect(followed(services)).to.deep.equal(ALL);
    expect(services.dataClient.presets.get()).to.deep.equal([]);
  });

  it('names each feed that failed with the reason, keeps the rest, and retries the failed ones', async () => {
    const thrown = { 'https://b.example/': [new ApiError('Nothing can be fetched from there.', 422)] };
    const services = exchangeServices({}, { thrown });
    const dial = mount(services);
    await read(dial, file(outline('a.example') + outline('b.example') + outline('c.example')));
    await click(dial, 'Import 3 channels');
    await waitUntilText(dial, 'dialog .sheet-note', '2 channels added. 1 could not be added:');
    expect(texts(dial, '.not-brought li')).to.deep.equal([`b.examplehttps://b.example/${NO_FEED}`]);
    await click(dial, 'Try these again');
    await waitUntilText(dial, 'dialog .sheet-note', '1 channel added.');
    expect(followed(services).length).to.equal(10);
    await click(dial, 'Done');
    await click(dial, 'Undo');
    expect(followed(services)).to.deep.equal(ALL);
  });

  it('keeps the folders chosen as presets when all feeds failed and are retried', async () => {
    const thrown = { 'https://a.example/': [new ApiError('Nothing can be fetched from there.', 422)] };
    const services = exchangeServices({}, { thrown });
    const dial = mount(services);
    await read(dial, file(`<outline text="News">${outline('a.example')}</outline>`));
    await click(dial, 'Import 1 channel');
    await waitUntilText(dial, 'dialog .sheet-note', '1 could not be added:');
    await click(dial, 'Try these again');
    await waitUntilText(dial, 'dialog .sheet-note', '1 channel added.');
    expect(services.dataClient.presets.get().map(({ name, channelIds }) => [name, ...channelIds])).to.deep.equal([
      ['News', feedId('https://a.example/')],
    ]);
  });

  it('waits as long as the server asks, shows the countdown, and keeps the feeds added so far', async () => {
    const services = exchangeServices({}, { thrown: { 'https://b.example/': [busy('1')] } });
    const dial = mount(services);
    await read(dial, file(outline('a.example') + outline('b.example')));
    await click(dial, 'Import 2 channels');
    await waitUntilText(dial, '.countdown', '0:01');
    expect(followed(services).length).to.equal(8);
    await waitUntilText(dial, 'dialog .sheet-note', '2 channels added.');
    expect(services.requestedUrls.map((url) => url.slice(8, 9)).join('')).to.equal('abb');
    await click(dial, 'Done');
    await click(dial, 'Undo');
    expect(followed(services)).to.deep.equal(ALL);
  });

  it('stops on request, also during a wait, and keeps the feeds added so far', async () => {
    const services = exchangeServices({}, { thrown: { 'https://b.example/': [busy('600')] } });
    const dial = mount(services);
    await read(dial, file(outline('a.example') + outline('b.example') + outline('c.example')));
    await click(dial, 'Import 3 channels');
    await waitUntilText(dial, '.countdown', /(10:00|9:59)/);
    await click(dial, 'Stop and keep what was added');
    await waitUntilText(dial, 'dialog .sheet-note', '1 channel added. 2 were not tried.');
    expect(followed(services).length).to.equal(8);
  });

  it('keeps the feeds added so far when the sheet is closed during the import', async () => {
    let release = () => {};
    const untilReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const services = exchangeServices({}, { before: (url) => (url.includes('b.') ? untilReleased : Promise.resolve()) });
    const dial = mount(services);
    await read(dial, file(outline('a.example') + outline('b.example') + outline('c.example')));
    await click(dial, 'Import 3 channels');
    await waitUntilText(dial, 'dialog .sheet-note', /2 of 3/);
    await click(dial, 'Close');
    await waitUntil(() => followed(services).length === 8);
    release();
    await waitUntil(() => followed(services).length === 9);
    expect(services.requestedUrls.length).to.equal(2);
  });

  it('stops when there is no network, and gives that reason for all remaining feeds', async () => {
    const services = exchangeServices({}, { thrown: { 'https://b.example/': [new ApiError('No response received', null)] } });
    const dial = mount(services);
    await read(dial, file(outline('a.example') + outline('b.example') + outline('c.example')));
    await click(dial, 'Import 3 channels');
    await waitUntilText(dial, 'dialog .sheet-note', '1 channel added. 2 could not be added:');
    expect(services.requestedUrls.length).to.equal(2);
  });
});

/** Presses "Export OPML", and returns the file that would be saved. */
async function exported(dial: Element): Promise<{ readonly file: string; readonly text: string }> {
  let saved: Blob | null = null;
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob: Blob) => {
    saved = blob;
    return createObjectURL.call(URL, blob);
  };
  let file = '';
  const keep = (event: Event) => {
    if (!(event.target instanceof HTMLAnchorElement)) return;
    file = event.target.download;
    event.preventDefault();
  };
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    this.addEventListener('click', keep, { once: true });
    HTMLElement.prototype.click.call(this);
  };
  try {
    await click(dial, 'Export OPML');
    await waitUntil(() => file !== '');
  } finally {
    URL.createObjectURL = createObjectURL;
    Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click');
  }
  return { file, text: await new Response(saved).text() };
}

describe('exporting OPML', () => {
  it('lists the feed and the page of each public channel, and says that private channels are left out', async () => {
    const open = { ...channel('1', 'Harbour Gazette'), demo: false };
    const closed = { ...channel('2', 'Cellar'), demo: false, private: true };
    const dial = mount(exchangeServices({ network: [open, closed] }));
    const { file, text } = await exported(dial);
    const { origin } = location;
    expect(text.match(/<outline.*>/g)).to.deep.equal([
      `<outline text="Harbour Gazette" title="Harbour Gazette" type="rss" xmlUrl="${origin}/feeds/u1.rss" htmlUrl="${origin}/channel/u1"/>`,
    ]);
    await waitUntil(() => toast(dial).startsWith(`Saved as ${file}. 1 private channel is left out`), toast(dial));
  });
  it('saves no file when every channel is private, and says why', async () => {
    const closed = ['1', '2'].map((id) => ({ ...channel(id, 'Cellar'), demo: false, private: true }));
    const dial = mount(exchangeServices({ network: closed }));
    await click(dial, 'Export OPML');
    await waitUntil(() => toast(dial).startsWith('2 private channels are left out'), toast(dial));
  });
  it('writes a file that imports as the same line-up', async () => {
    const id = feedId('https://tides.example/feed');
    const preset = { id: 'p', name: 'Work, home', channelIds: ['3', id] };
    const entries = [{ channelId: '5' }, { channelId: '3' }, { channelId: '1', followed: false }];
    const services = exchangeServices({ given: { entries, presets: [preset] } });
    services.dataClient.addChannel(feedChannel(id, 'Tides'));
    services.dataClient.applyLineupOperation({ action: 'follow', channelId: id }, (contents) => ({
      ...contents,
      entries: [...contents.entries, { channelId: id, feed: 'https://tides.example/feed' }],
    }));
    const dial = mount(services);
    const { file, text } = await exported(dial);
    expect(file).to.match(/^line-up-\d{4}-\d\d-\d\d\.opml$/);
    dial.remove();

    const fresh = exchangeServices({ off: ALL });
    const other = mount(fresh);
    await click(other, 'Import OPML');
    await waitUntilShown(other, 'dialog textarea');
    type(other, 'dialog textarea', text);
    await click(other, 'Read the text');
    await click(other, 'Import 3 channels');
    await waitUntilText(other, 'dialog .sheet-note', '3 channels added.');
    expect(fresh.requestedUrls).to.deep.equal(['https://tides.example/feed']);
    expect(new Set(followed(fresh))).to.deep.equal(new Set(['5', '3', id]));
    expect(fresh.dataClient.presets.get().map(({ name, channelIds }) => [name, ...channelIds])).to.deep.equal([
      ['Work, home', '3', id],
    ]);
  });
});

describe('sharing a line-up', () => {
  const link = (dial: Element) => (all(dial, 'dialog input[readonly]')[0] as HTMLInputElement | undefined)?.value ?? '';
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(1_000_000_000 + index));

  it('creates a link to the line-up or a preset, with a name, and nothing else', async () => {
    const presets = [{ id: 'p', name: 'Morning', channelIds: ['5', '2'] }];
    const entries = ALL.map((channelId) => ({ channelId, mutedUntil: 0, mutedWords: ['secret'] }));
    const dial = mount(exchangeServices({ given: { entries, presets } }));
    await click(dial, 'Share this line-up');
    await waitUntilShown(dial, 'dialog input[readonly]');
    expect(link(dial)).to.equal(`${location.origin}/changer?lineup=${encodeLineupLink({ name: '', channelIds: ALL })}`);
    all(dial, 'dialog input[type=radio]')[1]?.click();
    await waitUntil(() => link(dial).endsWith(encodeLineupLink({ name: 'Morning', channelIds: ['2', '5'] })));
    type(dial, 'dialog input[maxlength]', 'Early');
    await waitUntil(() => link(dial).endsWith(encodeLineupLink({ name: 'Early', channelIds: ['2', '5'] })));
  });

  it('uses a Telegram link inside Telegram, and a link to this site when that would be too long', async () => {
    const services = exchangeServices();
    const shared: string[] = [];
    const share: Host['share'] = async (url) => {
      shared.push(url);
      return 'shared';
    };
    const host = { ...services.host, kind: 'telegram' as const, share };
    const dial = mount({ ...services, host });
    await click(dial, 'Share this line-up');
    await click(dial, 'Share');
    await waitUntil(() => shared.length === 1);
    expect(shared).to.deep.equal([`https://t.me/harbour_bot/app?startapp=l_${encodeLineupLink({ name: '', channelIds: ALL })}`]);
    expect(all(dial, 'dialog').length).to.equal(0);
    dial.remove();

    const { lineupAddress } = await import('../../../src/features/import-export/share-address.ts');
    const addressOf = (count: number) =>
      lineupAddress({ host, environment: services.environment }, { name: '', channelIds: numbers(count) });
    expect(addressOf(6).address).to.match(/^https:\/\/t\.me\/harbour_bot\/app\?startapp=l_[\w-]{1,62}$/);
    expect([
      addressOf(90).isTooLongForTelegram,
      addressOf(90).address.startsWith(`${location.origin}/changer?lineup=`),
    ]).to.deep.equal([true, true]);
  });
});

describe('a shared line-up', () => {
  const code = (channelIds: readonly string[], name = 'Early') => encodeLineupLink({ name, channelIds });
  const FOREIGN = feedChannel('f-00000000000000aa', 'Far Tides');
  const clearedAddress = 'navigate /changer';
  async function open(services: AppServices, lineup: string): Promise<ChangerElement> {
    const dial = mount(services, { lineup });
    await waitUntilShown(dial, 'dialog .sheet-note');
    await waitUntil(() => !texts(dial, 'dialog .sheet-note').join().startsWith('Looking'));
    return dial;
  }

  it('shows its name and its channels in order, which are new, and how many are unknown here', async () => {
    const services = exchangeServices({ off: ['5'] }, { named: async () => [FOREIGN] });
    const dial = await open(services, code(['5', '2', FOREIGN.id, '999', 'f-00000000000000bb']));
    expect(texts(dial, 'dialog h2')).to.deep.equal(['Early']);
    expect(texts(dial, '.shared-channels bdi')).to.deep.equal(['Night Sky', 'Orchard University', 'Far Tides']);
    expect(texts(dial, '.shared-channels li').map((text) => text.endsWith('New'))).to.deep.equal([true, false, true]);
    expect(texts(dial, 'dialog .sheet-note')[0]).to.equal(
      '3 channels. 2 are new to you. 2 are left out: they are not here, or private.',
    );
    expect(services.calls).to.deep.equal([]);
  });

  it('replaces the line-up of the user, and undo restores it', async () => {
    const services = exchangeServices({ off: ['5'] });
    const dial = await open(services, code(['5', '2']));
    await click(dial, 'Replace mine');
    expect(followed(services)).to.deep.equal(['5', '2']);
    expect(services.calls).to.include(clearedAddress);
    await click(dial, 'Undo');
    expect(followed(services)).to.deep.equal(['1', '2', '3', '4', '6', '7']);
  });

  it('adds the missing channels at the end of the line-up of the user', async () => {
    const services = exchangeServices({ off: ['5', '6'] }, { named: async () => [FOREIGN] });
    const dial = await open(services, code([FOREIGN.id, '6', '2']));
    await click(dial, 'Merge');
    expect(followed(services)).to.deep.equal(['1', '2', '3', '4', '7', FOREIGN.id, '6']);
    expect(toast(dial)).to.match(/Merged: 2 new channels/);
    await click(dial, 'Undo');
    expect(followed(services)).to.deep.equal(['1', '2', '3', '4', '7']);
  });

  it('becomes a preset, and the missing channels are added', async () => {
    const services = exchangeServices({ off: ['5'] });
    const dial = await open(services, code(['5', '2']));
    await click(dial, 'Save as a preset');
    expect(services.dataClient.presets.get().map(({ name, channelIds }) => [name, ...channelIds])).to.deep.equal([
      ['Early', '5', '2'],
    ]);
    expect(followed(services)).to.include('5');
    await click(dial, 'Undo');
    expect(services.dataClient.presets.get()).to.deep.equal([]);
    expect(followed(services)).not.to.include('5');
  });

  it('changes nothing when the user chooses "Not now" or presses Escape', async () => {
    const services = exchangeServices();
    const before = services.signals.contents.get();
    const dial = await open(services, code(['5', '2']));
    await click(dial, 'Not now');
    expect(services.calls).to.deep.equal([clearedAddress]);
    dial.params = {};
    await waitUntil(() => all(dial, 'dialog').length === 0);
    expect(services.signals.contents.get()).to.equal(before);
  });

  it('says when it is identical to the line-up of the user', async () => {
    const dial = await open(exchangeServices(), code(ALL));
    expect(texts(dial, 'dialog .sheet-note').join()).to.match(/Your line-up is already the same/);
    expect(named(dial, 'Replace mine')).to.equal(undefined);
  });

  it('is rejected with an explanation when the link is broken or too long, and nothing changes', async () => {
    for (const [lineup, reason] of [
      [code(['5', '2']).slice(0, -1), /This link is broken/],
      ['<script>', /This link is broken/],
      ['', /This link is broken/],
      ['7-'.repeat(10_000), /This link is too long/],
    ] as const) {
      const services = exchangeServices();
      const dial = await open(services, lineup);
      expect(texts(dial, 'dialog .sheet-note').join()).to.match(reason);
      expect(named(dial, 'Replace mine')).to.equal(undefined);
      await click(dial, 'OK');
      expect(services.calls).to.deep.equal([clearedAddress]);
      dial.remove();
    }
  });

  it('shows the channels known on the device while the server does not respond, and retries', async () => {
    let isReachable = false;
    const named = async () => {
      if (!isReachable) throw new ApiError('No response received', null);
      return [FOREIGN];
    };
    const dial = await open(exchangeServices({}, { named }), code(['2', FOREIGN.id]));
    expect(texts(dial, '.shared-channels bdi')).to.deep.equal(['Orchard University']);
    expect(texts(dial, 'dialog .sheet-note').join()).to.match(/Some of them could not be checked/);
    isReachable = true;
    await click(dial, 'Try again');
    await waitUntil(() => texts(dial, '.shared-channels bdi').length === 2);
  });
});
