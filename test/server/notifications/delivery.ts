// Delivery for tests: matches and sends by a clock of its own, with a push service on this machine.

import type { TestContext } from 'node:test';
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings, type PushPayload } from '../../../contract/notifications.ts';
import { hashToken } from '../../../server/auth/sessions.ts';
import type { Message } from '../../../server/domain/model.ts';
import { extractIndexTerms } from '../../../server/domain/tokenizer.ts';
import { openUrlSigner } from '../../../server/media/signed-urls.ts';
import { matchEvents } from '../../../server/notifications/matcher.ts';
import { createPushEncryption, openVapidKeys } from '../../../server/notifications/push-request.ts';
import { createPushSender } from '../../../server/notifications/push-sender.ts';
import type { StoredDevice } from '../../../server/storage/ports/notifications.ts';
import { channel, makeApp, message } from '../support/make-app.ts';
import { startPushService, type TestBrowser } from './push-service.ts';

/** Returns a store with two channels, of which `2` is private, and functions that notify its readers. */
export async function makeDelivery(t: TestContext) {
  const { store } = await makeApp(t);
  const push = await startPushService(t);
  // Noon, UTC.
  const clock = { now: Date.UTC(2030, 0, 7, 12) };
  const now = () => clock.now;
  const members = new Set<string>();
  const totals = { sent: 0, failed: 0 };
  await store.putChannel(channel('1', { title: 'One' }));
  await store.putChannel(channel('2', { title: 'Two', private: true }));
  const config = { operatorIds: new Set<string>(['99']), publicUrl: 'https://site.example', securityContact: null };
  const urlSigner = await openUrlSigner(store);
  const encrypt = createPushEncryption(await openVapidKeys(store), config);
  const sendPushes = createPushSender({
    ...{ store, config, urlSigner, now, postPublic: (...args) => push.post(...args) },
    isMember: async (channelId, readerId) => members.has(`${channelId}/${readerId}`),
    // The library rejects a signature that expires after more than a day of the system clock.
    encrypt: (device, payload) => encrypt(device, payload, Date.now()),
    onResults: (sent, failed) => {
      totals.sent += sent;
      totals.failed += failed;
    },
  });
  await store.matchPosition(clock.now / 1000 - 3600);

  /** Sends what is due. */
  const send = async (): Promise<void> => {
    while (await sendPushes());
  };
  return {
    ...{ store, push, clock, members, totals, send },
    /** Registers a browser of a reader, or an anonymous one. */
    async addDevice(readerId: string | null, browser: TestBrowser = push.subscribe()) {
      const { subscription, token } = browser;
      const device: StoredDevice = await store.putNotificationDevice(
        {
          tokenHash: hashToken(token),
          readerId,
          endpoint: subscription.endpoint,
          ...subscription.keys,
          language: 'en',
          label: 'x',
        },
        clock.now / 1000,
      );
      return { device, browser };
    },
    choose: (owner: string, mode: 'all' | 'words' | 'off', words: string[] = [], channelId = '1') =>
      store.putNotificationChoice(owner, {
        ...{ channelId, mode, words },
        phrases: words.map((word) => extractIndexTerms(word).map(({ term }) => term)),
      }),
    set: (owner: string, settings: Partial<NotificationSettings>) =>
      store.putNotificationSettings(owner, { ...DEFAULT_NOTIFICATION_SETTINGS, ...settings }, clock.now),
    /** Stores a post that the bot received now. */
    post: (id: number, text = `Post ${id}`, more: Partial<Message> = {}, channelId = '1') =>
      store.putMessages([{ ...message(channelId, id, text, [], Math.floor(clock.now / 1000)), source: 'bot', ...more }]),
    match: async () => void (await matchEvents(await store.lastEventId(), { store, now }, new AbortController().signal)),
    /** Matches all new posts, and sends what is due. */
    async deliver(): Promise<void> {
      await matchEvents(await store.lastEventId(), { store, now }, new AbortController().signal);
      await send();
    },
  };
}

export const HOUR = 3_600_000;

/** Returns a payload in short: its type, posts and count. */
export const brief = (payload: PushPayload): string => {
  switch (payload.type) {
    case 'post':
      return `${payload.channelId}/${payload.postId} ×${payload.count}`;
    case 'digest':
      return `digest ${payload.items.map(({ channelId, postId }) => `${channelId}/${postId}`).join(' ')} ×${payload.count}`;
    case 'read':
      return `read ${payload.channelId}/${payload.upTo}`;
    default:
      return payload.type;
  }
};

export type Delivery = Awaited<ReturnType<typeof makeDelivery>>;
