/** Screenshot states of notifications: the page, and the choice of a channel. */
import { GAZETTE, SERVER_ERROR } from './paths.ts';
import type { Stage, State } from './state.ts';
import { SHEET } from './steps.ts';

const NOTIFICATIONS = /^\/api\/notifications$/;
const PATH = '/notifications';
const STATUS = '.notify-status';

const DEFAULTS = { delivery: 'immediate', dailyAt: 540, quiet: null, timeZone: 'Europe/Berlin', target: 'push' };
const DAY_SECONDS = 86_400;
const device = (id: string, label: string, isCurrent: boolean, daysAgo: number) => ({
  ...{ id, label, isCurrent, createdAt: 1_700_000_000 },
  seenAt: Math.floor(Date.now() / 1000) - daysAgo * DAY_SECONDS,
});
const DEVICES = [device('d1', 'Chromium on Linux', true, 0), device('d2', 'Safari on iPhone', false, 3)];

/** Replaces the response of the server, with the first channels of the directory as choices. */
async function stub(stage: Stage, more: object = {}): Promise<void> {
  const empty = { settings: DEFAULTS, choices: [], devices: [], canUseBot: false, botWriteAccess: false };
  await stage.stubResponse(NOTIFICATIONS, { body: { ...empty, ...more } });
}

/** Chosen channels: two of the demo network. */
async function choices(stage: Stage): Promise<object[]> {
  const { items } = await (await fetch(`${stage.origin}/api/channels`)).json();
  const [first, second] = items.map(({ id }: { readonly id: string }) => id);
  return [
    { channelId: first, mode: 'all', words: [] },
    { channelId: second, mode: 'words', words: ['exam', 'lecture', 'open day'] },
  ];
}

/** Turns push notifications on in the page, whose browser has no push service. */
const turnOn = (stage: Stage): Promise<unknown> =>
  stage.page.addInitScript(`
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    const subscription = { options: {}, toJSON: () => ({}), unsubscribe: async () => true };
    navigator.serviceWorker.getRegistration = async () => ({
      getNotifications: async () => [],
      pushManager: { getSubscription: async () => subscription },
    });
    const opening = indexedDB.open('changer-public', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('things');
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('things', 'readwrite');
      transaction.objectStore('things').put({ token: 'T'.repeat(43), id: 'd1', reportedAt: Date.now(), language: 'en' }, 'push-device');
      transaction.oncomplete = () => opening.result.close();
    };
  `);

const withPermission = (stage: Stage, permission: NotificationPermission): Promise<unknown> =>
  stage.page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => '${permission}' })`);

/** Opens the choice of a channel on its page. */
async function openChoice(stage: Stage): Promise<void> {
  await stage.open(GAZETTE, 'article');
  await stage.click('.channel-acts [aria-haspopup]');
  await stage.waitFor(`${SHEET} .choice`);
}

export const NOTIFICATION_STATES: readonly State[] = [
  {
    name: 'notifications-off',
    async reach(stage) {
      await withPermission(stage, 'default');
      await stub(stage);
      await stage.open(PATH, STATUS);
    },
  },
  {
    name: 'notifications-on',
    browserOnly: true,
    height: 1700,
    async reach(stage) {
      await turnOn(stage);
      await stage.signIn('reader');
      const settings = { ...DEFAULTS, delivery: 'daily', quiet: { from: 1320, to: 420 } };
      await stub(stage, { settings, choices: await choices(stage), devices: DEVICES, canUseBot: true });
      await stage.open(PATH, `${STATUS}.on`);
      await stage.waitFor('li.notify-row .button');
    },
  },
  {
    name: 'notifications-denied',
    browserOnly: true,
    async reach(stage) {
      await withPermission(stage, 'denied');
      await stub(stage);
      await stage.open(PATH, STATUS);
    },
  },
  {
    name: 'notifications-turn_off',
    browserOnly: true,
    async reach(stage) {
      await turnOn(stage);
      await stub(stage, { choices: await choices(stage), devices: DEVICES.slice(0, 1) });
      await stage.open(PATH, `${STATUS}.on`);
      await stage.click('.notify-danger');
      await stage.waitFor(SHEET);
    },
  },
  {
    name: 'notifications-disabled',
    async reach(stage) {
      await stage.stubResponse(NOTIFICATIONS, { status: 404, body: { detail: 'Notifications are off.' } });
      await stage.open(PATH, '.empty');
    },
  },
  {
    name: 'notifications-failed',
    async reach(stage) {
      await stage.stubResponse(NOTIFICATIONS, SERVER_ERROR);
      await stage.open(PATH, '.empty');
    },
  },
  {
    name: 'notifications-choice',
    browserOnly: true,
    async reach(stage) {
      await withPermission(stage, 'default');
      await stub(stage);
      await openChoice(stage);
      await stage.click(`${SHEET} .choice input`, 1);
      await stage.waitFor(`${SHEET} ${STATUS}`);
    },
  },
  {
    name: 'notifications-words',
    browserOnly: true,
    async reach(stage) {
      await turnOn(stage);
      await stub(stage, { choices: [{ ...(await choices(stage))[1], channelId: await channelId(stage) }], devices: DEVICES });
      await openChoice(stage);
      await stage.waitFor(`${SHEET} .notify-words .chip`);
    },
  },
];

/** Returns the id of the channel whose page the states open. */
async function channelId(stage: Stage): Promise<string> {
  return (await (await fetch(`${stage.origin}/api${GAZETTE.replace('channel', 'channels')}`)).json()).id;
}
