// Notifications: the page, the choice of a channel, and the notifications of an open page.

import { expect, waitUntil } from '@open-wc/testing';
import axe from 'axe-core';
import '../../../elements/changer-dial.ts';
import '../../../elements/changer-notifications.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { AppServices } from '../../../src/context/services.ts';
import { syncNotifications } from '../../../src/features/notifications/sync-notifications.ts';
import { english } from '../../../src/i18n/i18n.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { readPushDevice, totalCount, updatePushCounts } from '../../../src/storage/push-storage.ts';
import { deviceOf, NotificationServer, notificationServices, PushDouble, READER, storeDevice } from './notification-services.ts';

let server: NotificationServer;
let push: PushDouble;
let mounted: ChangerElement | null = null;
beforeEach(() => {
  server = new NotificationServer();
  push = new PushDouble();
});
afterEach(async () => {
  mounted?.remove();
  mounted = null;
  await push.restore();
});

const all = (selector: string): HTMLElement[] => [...(mounted?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const texts = (selector: string): (string | null)[] => all(selector).map(({ textContent }) => textContent);
const buttonNamed = (name: string): HTMLElement => {
  const found = all('button, summary, label').find(({ textContent }) => textContent?.includes(name));
  if (found === undefined) throw new Error(`no button called ${name}`);
  return found;
};
const press = (name: string): void => {
  const button = buttonNamed(name);
  button.focus();
  button.click();
};
const requests = (start: string): string[] => server.log.filter((line) => line.startsWith(start));
const focused = (): Element | null | undefined => mounted?.shadowRoot?.activeElement;

async function openPage(services: AppServices = notificationServices(server), lang = 'en', theme = 'light'): Promise<void> {
  mounted = Object.assign(document.createElement('changer-notifications'), { services });
  mounted.setAttribute('lang', lang);
  mounted.setAttribute('theme', theme);
  document.body.append(mounted);
  await waitUntil(() => all('.notify-status, .empty').length > 0, 'the page is shown');
}

/** A device on which notifications were turned on at an earlier visit. */
async function turnedOn(readerId: string | null = null): Promise<void> {
  await push.restore();
  push = new PushDouble('granted', true);
  await storeDevice(readerId);
  server.devices = [deviceOf('here', { isCurrent: true })];
}

describe('the notifications page', () => {
  it('asks for the permission only after a press, next to a sentence about what will be shown', async () => {
    await openPage();
    expect(texts('.notify-status h2')).to.deep.equal(['Off on this device']);
    expect(texts('.notify-status p')[0]).to.include(
      'Each new post of the channels that you choose will be shown once, and nothing else.',
    );
    expect(push.calls).to.deep.equal([]);
    // The server stores no settings before there is a device.
    expect(texts('legend')).not.to.include('When');
    press('Turn on');
    await waitUntil(() => texts('.notify-status h2')[0] === 'On for this device');
    expect(push.calls).to.deep.equal(['ask', 'subscribe']);
    expect(requests('PUT /api/notifications/device')).to.deep.equal([
      'PUT /api/notifications/device {"subscription":{"endpoint":"https://push.example/1","keys":{"p256dh":"p","auth":"a"}},"language":"en"}',
    ]);
    expect(server.token).to.match(/^[\w-]{43}$/);
    expect(await readPushDevice()).to.include({ token: server.token, id: 'here', readerId: null });
    expect(texts('.notify-said')).to.deep.equal(['Notifications are on for this device.']);
    expect(texts('legend')).to.include('When');
  });

  it('explains a blocked permission, and notices when it is allowed', async () => {
    push.response = 'denied';
    await openPage();
    press('Turn on');
    await waitUntil(() => texts('.notify-status h2')[0] === 'Blocked by the browser');
    expect(requests('PUT')).to.deep.equal([]);
    push.permission = 'default';
    press('Check again');
    await waitUntil(() => texts('.notify-status h2')[0] === 'Off on this device');
  });

  it('explains a browser without notifications, with a way on', async () => {
    push.remove();
    await openPage();
    expect(texts('.notify-status h2')).to.deep.equal(['This browser shows no notifications']);
    expect(all('.notify-status a')[0]?.getAttribute('href')).to.equal('https://t.me/harbour_bot/app');
  });

  it('explains that Safari on a phone needs the app on the home screen', async () => {
    push.beSafariOnPhone();
    await openPage();
    expect(texts('.notify-status h2')).to.deep.equal(['Add the app to the home screen first']);
  });

  it('ends the subscription if the server does not accept it, and shows the error', async () => {
    server.refuse = ['PUT /api/notifications/device', 503];
    await openPage();
    press('Turn on');
    await waitUntil(() => texts('.account-trouble p').length > 0);
    expect(push.calls).to.deep.equal(['ask', 'subscribe', 'unsubscribe']);
    expect(texts('.notify-status h2')).to.deep.equal(['Off on this device']);
  });

  it('explains that the operator turned the feature off', async () => {
    server.refuse = ['GET /api/notifications', 404];
    await openPage();
    expect(texts('.empty h2')).to.deep.equal(['This site sends no notifications']);
  });

  it('saves the delivery with the time zone of the device, and restores it if the server refuses', async () => {
    await turnedOn();
    await openPage();
    press('Once a day');
    await waitUntil(() => requests('PUT').length === 1);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(server.settings).to.deep.equal({ delivery: 'daily', dailyAt: 540, quiet: null, timeZone, target: 'push' });
    await waitUntil(() => all('.notify-time').length === 1, 'a time for the summary');
    server.refuse = ['PUT', 503];
    press('Every hour');
    await waitUntil(() => texts('.account-trouble p').length > 0);
    expect(all('input:checked').map((input) => input.parentElement?.textContent)).to.include('Once a day');
  });

  it('saves quiet hours when both times are complete', async () => {
    await turnedOn();
    await openPage();
    all('.switch')[0]?.click();
    await waitUntil(() => all('.notify-time').length === 2);
    await waitUntil(() => server.settings.quiet?.from === 1320);
    const [from] = all('.notify-time') as HTMLInputElement[];
    if (from === undefined) throw new Error('no field');
    from.focus();
    from.value = '23:30';
    from.blur();
    await waitUntil(() => server.settings.quiet?.from === 1410);
    expect(server.settings.quiet).to.deep.equal({ from: 1410, to: 420 });
  });

  it('lists the chosen channels, then the others of the line-up', async () => {
    await turnedOn();
    server.choices = [
      { channelId: '3', mode: 'all', words: [] },
      { channelId: '1', mode: 'words', words: ['ferry', 'tide'] },
    ];
    await openPage();
    await waitUntil(() => all('.notify-more').length > 0);
    expect(texts('section > .notify-card .notify-row > span:not(.avatar)').slice(0, 2)).to.deep.equal([
      'مرصد المدينة All posts',
      'Harbour Gazette ferry · tide',
    ]);
    expect(texts('summary')).to.deep.equal(['5 other channels of your line-up']);
  });

  it('sends a test notification', async () => {
    await turnedOn();
    await openPage();
    press('Try it out');
    await waitUntil(() => requests('POST /api/notifications/test').length === 1);
    expect(texts('.notify-said')).to.deep.equal(['A notification is on its way.']);
  });

  it('turns all off after a confirmation, on the server and in the browser', async () => {
    await turnedOn();
    server.choices = [{ channelId: '3', mode: 'all', words: [] }];
    await openPage();
    press('Turn all off…');
    await waitUntil(() => all('dialog[open]').length === 1);
    expect(requests('DELETE')).to.deep.equal([]);
    all('dialog .filled')[0]?.click();
    await waitUntil(() => texts('.notify-status h2')[0] === 'Off on this device');
    expect(requests('DELETE')).to.deep.equal(['DELETE /api/notifications']);
    expect(push.calls).to.deep.equal(['unsubscribe', 'clearAppBadge']);
    expect(await readPushDevice()).to.equal(null);
    expect(server.choices).to.deep.equal([]);
  });

  it('lists the devices of a signed-in reader, and removes them one by one', async () => {
    await turnedOn(READER.id);
    server.devices = [deviceOf('phone'), deviceOf('here', { isCurrent: true })];
    await openPage(notificationServices(server, READER));
    const rows = () => texts('li.notify-row bdi');
    await waitUntil(() => rows().length === 2);
    expect(rows()).to.deep.equal(['Browser of here', 'Browser of phone']);
    all('li.notify-row button')[1]?.click();
    await waitUntil(() => rows().length === 1);
    expect(requests('DELETE')).to.deep.equal(['DELETE /api/notifications/devices/phone']);
    expect(focused()?.textContent).to.equal('Devices');
    expect(push.calls).to.deep.equal([]);
    all('li.notify-row button')[0]?.click();
    await waitUntil(() => rows().length === 0);
    await waitUntil(() => push.calls.includes('unsubscribe'), 'this device is no longer subscribed');
  });

  it('does not list devices for an anonymous reader', async () => {
    await turnedOn();
    await openPage();
    expect(texts('h2')).not.to.include('Devices');
  });
});

describe('notifications by the bot', () => {
  const inTelegram = (result: 'allowed' | 'cancelled') => {
    server.canUseBot = true;
    const services = notificationServices(server, READER);
    return { ...services, host: { ...services.host, kind: 'telegram' as const, requestWriteAccess: async () => result } };
  };

  it('asks by the container whether the bot may write, then selects it', async () => {
    await openPage(inTelegram('allowed'));
    expect(texts('.notify-status h2')).to.deep.equal(['Telegram shows no notifications of apps']);
    press('By the Telegram bot');
    await waitUntil(() => texts('.notify-status h2')[0] === 'The bot writes to you in Telegram');
    expect(server.log.filter((line) => line.startsWith('PUT')).map((line) => line.split(' ', 2).join(' '))).to.deep.equal([
      'PUT /api/notifications/bot-access',
      'PUT /api/notifications/settings',
    ]);
    expect(server.settings.target).to.equal('bot');
  });

  it('changes nothing if the reader declines', async () => {
    await openPage(inTelegram('cancelled'));
    press('By the Telegram bot');
    await waitUntil(() => texts('.notify-said')[0] === 'The bot was not allowed to write to you.');
    expect(requests('PUT')).to.deep.equal([]);
  });

  it('explains that a bot that was stopped needs the permission again', async () => {
    server.settings = { ...server.settings, target: 'bot' };
    await openPage(inTelegram('allowed'));
    expect(texts('.notify-status h2')).to.deep.equal(['The bot may not write to you']);
    press('Allow');
    await waitUntil(() => texts('.notify-status h2')[0] === 'The bot writes to you in Telegram');
  });
});

describe('the choice of a channel', () => {
  async function openSheet(services: AppServices = notificationServices(server)): Promise<void> {
    mounted = Object.assign(document.createElement('changer-dial'), { services });
    document.body.append(mounted);
    await waitUntil(() => all('[data-row="2"] .row-controls button').length > 0);
    all('[data-row="2"] .row-controls button')[0]?.click();
    await waitUntil(() => all('dialog .menu-item').length > 0);
    press('Notifications');
    await waitUntil(() => all('dialog .choice').length > 0, 'the choice is shown');
  }

  it('is saved at once on a device with notifications', async () => {
    await turnedOn();
    await openSheet();
    expect(texts('dialog h2')).to.deep.equal(['Notifications: Orchard University']);
    press('All posts');
    await waitUntil(() => server.choices.length === 1);
    expect(server.choices).to.deep.equal([{ channelId: '2', mode: 'all', words: [] }]);
    await waitUntil(() => texts('.notify-said')[0] === 'Orchard University: all posts');
    press('None');
    await waitUntil(() => server.choices.length === 0);
  });

  it('is saved after the reader has turned notifications on', async () => {
    await openSheet();
    press('All posts');
    await waitUntil(() => texts('.notify-status h2')[0] === 'Off on this device');
    expect(push.calls).to.deep.equal([]);
    press('Turn on');
    await waitUntil(() => server.choices.length === 1);
    expect(push.calls).to.deep.equal(['ask', 'subscribe']);
    expect(server.choices).to.deep.equal([{ channelId: '2', mode: 'all', words: [] }]);
    await waitUntil(() => all('.notify-status').length === 0, 'the panel disappears');
  });

  it('by words is saved with the first word, and with each further change', async () => {
    await turnedOn();
    await openSheet();
    press('With words');
    await waitUntil(() => all('.notify-words input').length === 1);
    expect(requests('PUT')).to.deep.equal([]);
    const add = async (word: string) => {
      const [field] = all('.notify-words input') as HTMLInputElement[];
      if (field === undefined) throw new Error('no field');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, word);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await waitUntil(() => !(all('.notify-words [type=submit]')[0] as HTMLButtonElement).disabled);
      all('.notify-words [type=submit]')[0]?.click();
    };
    await add('lecture');
    await waitUntil(() => server.choices[0]?.words.length === 1);
    await add('exam');
    await waitUntil(() => server.choices[0]?.words.length === 2);
    expect(server.choices).to.deep.equal([{ channelId: '2', mode: 'words', words: ['lecture', 'exam'] }]);
    await waitUntil(() => all('.notify-words .chip').length === 2);
    all('.notify-words .chip')[0]?.click();
    await waitUntil(() => server.choices[0]?.words.length === 1);
    expect(server.choices[0]?.words).to.deep.equal(['exam']);
  });
});

describe('notifications in an open page', () => {
  const shown = (channelId: string, postId: number) => {
    const notification = {
      tag: `channel:${channelId}`,
      data: { path: '/', countKey: channelId, postId, count: 1 },
      close: () => {
        push.notifications = push.notifications.filter((other) => other !== notification);
      },
    };
    return notification;
  };

  it('are closed when their posts are read, and the badge goes down', async () => {
    await turnedOn();
    push.notifications = [shown('1', 10), shown('2', 20)];
    await updatePushCounts(() => ({ 1: { count: 3, postId: 10 }, 2: { count: 2, postId: 20 }, digest: { count: 9, postId: 0 } }));
    const readMarkers = createSignal<ReadonlyMap<string, number>>(new Map([['2', 19]]));
    const services = notificationServices(server);
    syncNotifications({ ...services, dataClient: { ...services.dataClient, readMarkers } }, english);
    await waitUntil(() => push.calls.includes('setAppBadge 5'), 'the digest is no longer counted');
    readMarkers.set(
      new Map([
        ['1', 10],
        ['2', 19],
      ]),
    );
    await waitUntil(() => push.calls.includes('setAppBadge 2'));
    expect(push.notifications.map(({ tag }) => tag)).to.deep.equal(['channel:2']);
    readMarkers.set(
      new Map([
        ['1', 10],
        ['2', 25],
      ]),
    );
    await waitUntil(() => push.calls.at(-1) === 'clearAppBadge');
    expect(push.notifications).to.deep.equal([]);
    expect(totalCount(await updatePushCounts((counts) => counts))).to.equal(0);
  });

  it('open their post in the page', async () => {
    await turnedOn();
    const services = notificationServices(server);
    syncNotifications(services, english);
    const { port1, port2 } = new MessageChannel();
    const confirmed = new Promise((resolve) => {
      port1.onmessage = resolve;
    });
    navigator.serviceWorker.dispatchEvent(
      new MessageEvent('message', { data: { type: 'open-path', path: '/channel/1?post=3' }, ports: [port2] }),
    );
    await confirmed;
    expect(services.calls).to.deep.equal(['navigate /channel/1?post=3']);
  });

  it('move to the account at a sign-in', async () => {
    await turnedOn();
    syncNotifications(notificationServices(server, READER), english);
    await waitUntil(() => requests('PUT /api/notifications/device').length === 1);
    await waitUntil(async () => (await readPushDevice())?.readerId === READER.id);
    expect(server.token).to.equal('T'.repeat(43));
  });

  it('of another reader end', async () => {
    await turnedOn('8');
    syncNotifications(notificationServices(server, READER), english);
    await waitUntil(() => push.calls.includes('unsubscribe'));
    await waitUntil(async () => (await readPushDevice()) === null);
    expect(requests('PUT')).to.deep.equal([]);
  });

  it('end without a token, which the server could not find', async () => {
    await turnedOn();
    const { writePushDevice } = await import('../../../src/storage/push-storage.ts');
    await writePushDevice(null);
    syncNotifications(notificationServices(server), english);
    await waitUntil(() => push.calls.includes('unsubscribe'));
  });
});

describe('the accessibility of notifications', () => {
  for (const [lang, theme] of [
    ['en', 'light'],
    ['ar', 'dark'],
    ['ru', 'light'],
  ] as const)
    it(`has no violations in ${lang}, ${theme}`, async () => {
      await turnedOn(READER.id);
      Object.assign(server, { canUseBot: true, devices: [deviceOf('phone'), deviceOf('here', { isCurrent: true })] });
      server.choices = [{ channelId: '1', mode: 'words', words: ['ferry'] }];
      server.settings = { ...server.settings, delivery: 'daily', quiet: { from: 1320, to: 420 } };
      await openPage(notificationServices(server, READER), lang, theme);
      await waitUntil(() => all('li.notify-row').length === 2);
      if (mounted === null) throw new Error('not mounted');
      const check = async () => {
        const { violations } = await axe.run(mounted as HTMLElement, {
          rules: { region: { enabled: false }, 'target-size': { enabled: true } },
        });
        expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).to.deep.equal([]);
      };
      await check();
      all('button.notify-row')[0]?.click();
      await waitUntil(() => all('dialog .notify-words').length === 1);
      for (const animation of mounted.shadowRoot?.getAnimations() ?? []) animation.finish();
      await check();
    });
});
