// Page of operators: channels, failures, rights, gaps, audit log and site keys.

import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-dial.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { AppServices } from '../../../src/context/services.ts';
import type { Host } from '../../../src/platform/platform.ts';
import { stubServices } from './dial-services.ts';
import { CHANNELS, type OperatorStub, OVERVIEW, operatorServices } from './operator-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
});

function mount(services: AppServices, operator = '', lang = 'en'): ChangerElement {
  mounted = document.createElement('changer-dial');
  mounted.lang = lang;
  mounted.services = services;
  mounted.params = { operator };
  document.body.append(mounted);
  return mounted;
}

const all = (page: Element, selector: string) => [...(page.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const texts = (page: Element, selector: string) => all(page, selector).map((each) => each.textContent ?? '');
const named = (page: Element, name: string) =>
  all(page, 'button, a, input, label, summary').find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name);
async function waitUntilShown(page: Element, selector: string, count = 1): Promise<void> {
  await waitUntil(() => all(page, selector).length >= count, `${selector} is there`);
}
async function click(page: Element, name: string): Promise<void> {
  await waitUntil(() => named(page, name) !== undefined, `there is ${name}`);
  named(page, name)?.click();
  await aTimeout(0);
}
const openRow = (page: Element, title: string) =>
  all(page, '.operator-rows .row-main')
    .find((row) => row.textContent?.includes(title))
    ?.click();
const toast = (page: Element) => texts(page, '.toast').join();

describe('the operator page', () => {
  it('scrolls the section in the URL into view on a narrow phone', async () => {
    const page = mount(operatorServices(), 'history', 'ru');
    page.style.inlineSize = '300px';
    await waitUntilShown(page, '.chip[aria-current]');
    await aTimeout(0);
    const box = (selector: string) => all(page, selector)[0]?.getBoundingClientRect() ?? new DOMRect();
    expect(box('.chip[aria-current]').right).to.be.at.most(box('.chips').right + 1);
  });

  it('lets a site show a private channel with a key whose secret is shown once, and revokes the key', async () => {
    const services = operatorServices();
    const page = mount(services);
    await waitUntilShown(page, '.operator-rows .row', CHANNELS.length);
    openRow(page, 'Harbour Gazette');
    await waitUntilShown(page, '.operator-sheet');
    expect(texts(page, '.operator-sheet').join()).not.to.contain('On other sites');
    await click(page, 'Close');
    openRow(page, 'Garden Club');
    await waitUntilShown(page, 'input[name="origin"]');
    // On a phone, a focused field would open the keyboard, which covers the content of the sheet.
    expect(page.shadowRoot?.activeElement?.localName).not.to.equal('input');
    const [field] = all(page, 'input[name="origin"]');
    if (!(field instanceof HTMLInputElement)) throw new Error('no field');
    services.responses.fails = new ApiError('The site should be https://.', 422);
    field.value = 'http://club.example';
    await click(page, 'Create a key');
    await waitUntil(() => texts(page, '.gaps .error').join().includes('The site should be https://.'));
    services.responses.fails = null;
    field.value = 'https://club.example';
    await click(page, 'Create a key');
    await waitUntil(() => texts(page, '.gaps .settings').join() === 'CHANGER_KEY_ID=k1\nCHANGER_KEY_SECRET=very-secret');
    expect(services.calls).to.include('site key https://club.example 9');
    await waitUntilShown(page, '.site-keys li');
    await click(page, 'Revoke the key for https://club.example');
    await click(page, 'Revoke');
    await waitUntil(() => all(page, '.site-keys li, .gaps .settings').length === 0);
    expect(services.calls).to.include('revoke k1');
  });

  it('says that the gaps or the site keys of a channel could not be loaded, and retries', async () => {
    for (const [title, loaded] of [
      ['Harbour Gazette', '.gaps a'],
      ['Garden Club', '.site-keys li'],
    ] as const) {
      const services = operatorServices();
      services.responses.siteKeys = [{ id: 'k1', origin: 'https://club.example', channels: ['9'], at: 1_700_000_000 }];
      const page = mount(services);
      await waitUntilShown(page, '.operator-rows .row', CHANNELS.length);
      services.responses.fails = new ApiError('No response received', null);
      openRow(page, title);
      await waitUntil(() => texts(page, '.gaps').join().includes('This could not be loaded'));
      services.responses.fails = null;
      await click(page, 'Try again');
      await waitUntilShown(page, loaded);
      page.remove();
    }
  });

  it('shows the state of every channel, those that need action first', async () => {
    const page = mount(operatorServices());
    await waitUntilShown(page, '.operator-rows .row', CHANNELS.length);
    const rows = texts(page, '.row-state');
    expect(rows[0]).to.equal('Somebody added the bot. Nothing is shown until you accept.');
    expect(rows[1]).to.match(/^Disconnected. You can undo this until/);
    expect(rows.slice(2).join('\n')).to.match(
      /lacks rights[\s\S]*Paused since [\s\S]*no longer an administrator[\s\S]*feed could not be read[\s\S]*Live. No post yet[\s\S]*Imported[\s\S]*Demo/,
    );
    expect(texts(page, '.row-about').join('\n')).to.match(/Posts: 12 · May be missing: 3 · Hidden: 1 · 3.4 MB/);
    expect(texts(page, '.panel').join('\n')).to.match(
      /@city_bot[\s\S]*by webhook[\s\S]*4 GB of 10 GB used[\s\S]*fetched: 2[\s\S]*20 MB/,
    );
  });

  it('says why feeds, files and updates failed, in the language of the user', async () => {
    const services = operatorServices();
    services.responses.overview = {
      ...services.responses.overview,
      badUpdates: { count: 2, newest: [{ updateId: 7, reason: 'its chat is no channel' }] },
    };
    const page = mount(services, '', 'ru');
    await waitUntilShown(page, '#operator-bad-updates');
    const panels = texts(page, '.panel').join('\n');
    expect(panels).to.match(/2 обновления от Telegram не удалось прочитать[\s\S]*30 дней[\s\S]*its chat is no channel/);
    expect(panels).to.match(/Больше 20 МБ: таких файлов Telegram ботам не отдаёт/);
  });

  it('removes the demo channels with one button, after a confirmation', async () => {
    const services = operatorServices();
    const page = mount(services);
    await waitUntilShown(page, '#operator-demo');
    await click(page, 'Remove the demo channels…');
    expect(services.calls).not.to.include('remove demo');
    await click(page, 'Remove');
    await waitUntil(() => services.calls.includes('remove demo'));
    await waitUntil(() => all(page, 'dialog').length === 0);
  });

  it('uses the language of the user from the first render', async () => {
    const page = mount(operatorServices(), '', 'ru');
    const chipTexts = new Set<string>();
    await waitUntil(
      () => {
        for (const chipText of texts(page, '.chip')) chipTexts.add(chipText);
        return all(page, '.operator-rows .row').length > 0;
      },
      'the channels are there',
      { interval: 1 },
    );
    expect([...chipTexts]).to.deep.equal(['Каналы', 'Скрыто', 'Оформление', 'История']);
  });

  it('names the missing rights, an untranslated one by its Bot API name', async () => {
    const page = mount(operatorServices());
    await waitUntilShown(page, '.operator-rows .row');
    openRow(page, 'Night Sky');
    await waitUntilShown(page, 'dialog .facts');
    expect(texts(page, '.facts dd')[0]).to.equal('to be an administrator and can_fly');
  });

  it('says where posts may be missing, and how to restore them', async () => {
    const page = mount(operatorServices());
    await waitUntilShown(page, '.operator-rows .row');
    openRow(page, 'Harbour Gazette');
    await waitUntilShown(page, '.gaps a');
    expect(all(page, '.gaps a')[0]?.getAttribute('href')).to.equal('/channel/u1?post=40');
    expect(texts(page, '.gaps').join()).to.match(/3 posts may be missing here[\s\S]*before post 40[\s\S]*npm run import/);
    expect(texts(page, 'dialog .facts').join()).to.match(/Reader 9/);
  });

  const actions: readonly (readonly [channel: string, name: string, call: string, confirmation: RegExp])[] = [
    ['Market Square', 'Accept', 'accept 4', /Accepted/],
    ['Market Square', 'Decline', 'decline 4', /Declined/],
    ['Tram 5', 'Undo disconnection', 'reconnect 5', /Connected again/],
    ['Harbour Gazette', 'Look for deleted posts', 'recheck 1', /Looking for deleted posts/],
  ];
  for (const [channel, name, call, confirmation] of actions)
    it(`does “${name}”, confirms it, and refetches`, async () => {
      const services = operatorServices();
      const page = mount(services);
      await waitUntilShown(page, '.operator-rows .row');
      openRow(page, channel);
      await click(page, name);
      await waitUntil(() => confirmation.test(toast(page)), 'the message is shown');
      expect(services.calls.filter((each) => each === call)).to.have.length(1);
      await waitUntil(() => services.calls.lastIndexOf('overview') > services.calls.indexOf(call), 'the list is fetched again');
      expect(all(page, 'dialog')).to.have.length(0);
    });

  it('says which channels are private, and the name under which a public one is found', async () => {
    const page = mount(operatorServices());
    await waitUntilShown(page, '.operator-rows .row', CHANNELS.length);
    const about = (title: string) => texts(page, '.row-main').find((row) => row.includes(title));
    expect(about('Garden Club')).to.match(/Private · Posts: 12/);
    expect(about('Harbour Gazette')).not.to.contain('Private');
    openRow(page, 'Garden Club');
    await waitUntil(() => texts(page, '.facts').join().includes('Who may read itMembers only'));
    await click(page, 'Close');
    openRow(page, 'Harbour Gazette');
    await waitUntil(() => texts(page, '.facts').join().includes('Who may read itEverybody'));
  });

  it('asks what happens to the stored posts, and lets the operator undo a disconnection', async () => {
    const services = operatorServices();
    const page = mount(services);
    await waitUntilShown(page, '.operator-rows .row');
    openRow(page, 'Harbour Gazette');
    await click(page, 'Disconnect…');
    expect(texts(page, 'dialog').join()).to.match(/Copies that somebody posted elsewhere cannot be deleted/);
    await click(page, 'Disconnect');
    await waitUntil(() => /Disconnected: Harbour Gazette/.test(toast(page)), 'the message is shown');
    await click(page, 'Undo');
    await waitUntil(() => services.calls.includes('reconnect 1'), 'the change is reverted');
    expect(services.calls).to.include('disconnect 1 true');
  });

  it('only removes an imported channel, because it has no source to follow', async () => {
    const services = operatorServices();
    const page = mount(services);
    await waitUntilShown(page, '.operator-rows .row');
    openRow(page, 'Kitchen Notes');
    await click(page, 'Remove…');
    expect(all(page, 'dialog input')).to.have.length(1);
    await click(page, 'Remove');
    await waitUntil(() => services.calls.includes('disconnect 7 false'), 'the item is removed');
  });

  it('waits for the chosen channel, and says when it is connected', async () => {
    const services = operatorServices();
    const page = mount(services);
    await click(page, 'Connect a channel');
    await waitUntil(() => named(page, 'Open in Telegram') !== undefined, 'the link is shown');
    expect(named(page, 'Open in Telegram')?.getAttribute('href')).to.equal('https://t.me/city_bot?startchannel');
    expect(texts(page, 'dialog [role=status]')).to.deep.equal(['Waiting for the channel…']);
    const [first] = CHANNELS;
    if (first === undefined) throw new Error('no channel');
    const incoming = { ...first, channel: { ...first.channel, id: '77', title: 'Low Quay' } };
    services.responses.overview = { ...OVERVIEW, channels: [...OVERVIEW.channels, incoming] };
    await waitUntil(() => texts(page, 'dialog [role=status]').includes('Connected: Low Quay'), 'the channel is shown');
    expect(page.shadowRoot?.activeElement?.textContent).to.equal('Done');
  });

  it('opens the picker of Telegram when the client supports it, else its link', async () => {
    for (const prepared of ['prepared-1', null]) {
      const services = operatorServices();
      const host: Host = {
        ...services.host,
        kind: 'telegram',
        openTelegramLink: (link) => services.calls.push(link),
        async requestChat(request) {
          services.calls.push(`request ${request}`);
          return 'cancelled';
        },
      };
      services.responses.prepared = prepared;
      const page = mount({ ...services, host });
      await click(page, 'Connect a channel');
      await click(page, 'Choose the channel');
      const expectedLink = prepared === null ? 'https://t.me/city_bot?startchannel' : 'request prepared-1';
      await waitUntil(() => services.calls.includes(expectedLink), expectedLink);
      if (prepared !== null) await waitUntil(() => toast(page) === 'No channel was chosen.', 'the message is shown');
      page.remove();
    }
  });

  it('shows next to the field why the server rejects a feed', async () => {
    const services = operatorServices();
    const page = mount(services);
    await click(page, 'Add a feed');
    const input = all(page, 'dialog input')[0];
    if (!(input instanceof HTMLInputElement)) throw new Error('no field');
    input.value = 'https://gazette.example/feed';
    services.responses.fails = new ApiError('There is no feed at this address.', 422);
    await click(page, 'Add');
    await waitUntil(
      () => /^Not done: \W*There is no feed at this address/.test(texts(page, 'dialog [role=alert]').join()),
      'the message is shown',
    );
    expect(input.getAttribute('aria-invalid')).to.equal('true');
    services.responses.fails = null;
    await click(page, 'Add');
    await waitUntil(() => toast(page) === 'Added: New feed', 'the item is added');
  });

  it('restores a hidden post', async () => {
    const services = operatorServices();
    const page = mount(services, 'hidden');
    await waitUntilShown(page, '.hidden-post');
    expect(texts(page, '.hidden-post').join()).to.match(/Withdrawn words/);
    all(page, '.hidden-post button')[0]?.click();
    await waitUntil(() => services.calls.includes('restore 1/5'), 'the post is restored');
  });

  it('pages through the audit log', async () => {
    const page = mount(operatorServices(), 'history');
    await waitUntilShown(page, '.act', 3);
    expect(texts(page, '.act')[0]).to.match(/^Hid a postHarbour Gazette · post 12Reader 41/);
    expect(texts(page, '.act').join()).to.contain('Disconnected a channelHarbour Gazette · deleted posts and files');
    await click(page, 'Show older');
    await waitUntilShown(page, '.act', 6);
    expect(named(page, 'Show older')).to.equal(undefined);
  });

  it('sends a brand as written, and its logo as base64', async () => {
    const services = operatorServices();
    const page = mount(services, 'brand');
    await waitUntilShown(page, 'input[type=file]');
    const file = all(page, 'input[type=file]')[0];
    if (!(file instanceof HTMLInputElement)) throw new Error('no field');
    const chosen = new DataTransfer();
    chosen.items.add(new File([Uint8Array.of(1, 2, 255)], 'logo.png', { type: 'image/png' }));
    file.files = chosen.files;
    file.dispatchEvent(new Event('change', { bubbles: true }));
    await waitUntilShown(page, '.brand-preview img');
    await click(page, 'Save');
    const sent = { name: 'City', color: '#3a5bd9', logo: 'AQL/' };
    await waitUntil(() => services.calls.includes(`brand ${JSON.stringify(sent)}`), 'the request is sent');
    await waitUntil(() => named(page, 'Save')?.matches(':enabled'), 'the change is saved');
    await click(page, 'Back to the settings’ brand');
    await waitUntil(() => services.calls.includes('reset brand'), 'the brand is reset');
  });

  it('keeps showing the previous data, and says so, when it cannot be refetched', async () => {
    const services = operatorServices();
    const page = mount(services);
    await waitUntilShown(page, '.operator-rows .row');
    services.responses.fails = new ApiError('No response received', null);
    openRow(page, 'Harbour Gazette');
    await click(page, 'Look for deleted posts');
    await waitUntil(() => toast(page) === 'No answer came. Check your connection and try again.', 'the message is shown');
    services.responses.fails = new ApiError('Connect it first.', 409);
    await click(page, 'Look for deleted posts');
    await waitUntil(() => toast(page) === 'Not done: \u2068Connect it first.\u2069', 'the reason is said');
    services.directory.set({ type: 'loaded', value: [], cachedAt: null });
    await waitUntil(() => /^Could not refresh/.test(texts(page, '.notice').join()), 'the age is shown');
    expect(all(page, '.operator-rows .row')).to.have.length(CHANNELS.length);
    services.responses.fails = null;
    await click(page, 'Try again');
    await waitUntil(() => all(page, '.notice').length === 0, 'the list is fetched again');
  });

  it('says why there is nothing to show, and retries', async () => {
    const services = operatorServices();
    services.responses.fails = new ApiError('The store is closed.', 500);
    const page = mount(services);
    await waitUntilShown(page, '.empty');
    await waitUntil(() => texts(page, '.empty').join().includes('The server cannot answer just now.'), 'the message is shown');
    expect(texts(page, '.server-words')).to.deep.equal(['The store is closed.']);
    services.responses.fails = null;
    await click(page, 'Try again');
    await waitUntilShown(page, '.operator-rows .row');
  });

  it('names the settings of a bot when there is none', async () => {
    const services = operatorServices();
    services.responses.overview = { ...OVERVIEW, channels: [], bot: { type: 'absent' } };
    const page = mount(services);
    await waitUntilShown(page, '.empty');
    expect(texts(page, '.settings').join()).to.match(/BOT_TOKEN/);
    expect(named(page, 'Connect a channel')).to.equal(undefined);
  });

  it('shows the administrator of a channel no brand, no feeds and no statistics of the site', async () => {
    const page = mount(operatorServices({ operator: false }), 'brand');
    await waitUntilShown(page, '.operator-rows .row');
    for (const name of ['Brand', 'Add a feed']) expect(named(page, name), name).to.equal(undefined);
    expect(all(page, 'meter')).to.have.length(0);
    expect(named(page, 'Connect a channel')).not.to.equal(undefined);
  });

  it('tells an administrator who may not connect channels that operators do it', async () => {
    const services = operatorServices({ operator: false });
    services.responses.overview = { ...OVERVIEW, channels: [], mayConnect: false };
    const page = mount(services);
    await waitUntilShown(page, '.empty');
    expect(texts(page, '.empty').join()).to.contain('The operators of this site connect channels.');
    expect(named(page, 'Connect a channel')).to.equal(undefined);
  });

  it('sends users who are not signed in to Telegram, and is not available on a host page', async () => {
    const page = mount(stubServices());
    await waitUntilShown(page, '.empty a');
    expect(all(page, '.empty a')[0]?.getAttribute('href')).to.equal('https://t.me/harbour_bot/app');
    page.remove();
    const embedded = mount(stubServices({ embedded: true }));
    await waitUntilShown(embedded, '.card');
    expect(all(embedded, '.operator')).to.have.length(0);
  });
});

describe('the dial', () => {
  const links = (services: OperatorStub) => {
    const page = mount(services);
    page.params = {};
    return page;
  };

  it('links operators to their page, and others to connecting their own channel', async () => {
    const page = links(operatorServices());
    await waitUntil(() => named(page, 'Operator') !== undefined, 'there is the link');
    page.remove();
    const other = links(operatorServices({ operator: false }));
    await waitUntil(() => named(other, 'Connect a channel that you administer') !== undefined, 'there is the link');
    expect(named(other, 'Operator')).to.equal(undefined);
  });

  it('tells an operator how to connect the first channel', async () => {
    const services = operatorServices();
    services.signals.lineup.set({ type: 'loaded', value: [], cachedAt: null });
    const page = links(services);
    await waitUntil(() => named(page, 'Connect a channel') !== undefined, 'there is the way');
  });
});
