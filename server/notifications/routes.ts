/** Notification routes: choices, settings and devices of a reader, or of an anonymous device. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  Choice,
  ChoiceChange,
  DEFAULT_NOTIFICATION_SETTINGS,
  DEVICE_TOKEN_HEADER,
  DEVICE_TOKEN_PATTERN,
  DeviceChange,
  NotificationDevice,
  NotificationSettings,
  Notifications,
  VapidKey,
} from '../../contract/notifications.ts';
import { deviceTokenHash } from '../auth/device-token.ts';
import { accessScopeOf, requireReader } from '../auth/identity.ts';
import { type FindChannelDeps, findChannel } from '../channels/find.ts';
import type { Config } from '../config.ts';
import { extractIndexTerms } from '../domain/tokenizer.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { type App, markPrivate } from '../http/request.ts';
import { noContent, responses } from '../http/schemas.ts';
import { botRecipient, type NotificationOwner, type StoredDevice } from '../storage/ports/notifications.ts';
import type { Store } from '../storage/ports/store.ts';
import { canOpenApp } from './bot-sender.ts';
import { deviceLabel } from './device-label.ts';
import { assertSubscription } from './push-request.ts';
import { isTimeZone } from './schedule.ts';
import type { NotificationService } from './service.ts';

/** Services that this module uses. */
export type NotificationRouteDeps = FindChannelDeps & {
  readonly config: Config;
  readonly store: Store;
  readonly notifications: NotificationService | null;
  readonly bot: object | null;
  readonly now: () => number;
};

const DeviceHeaders = Type.Object({
  [DEVICE_TOKEN_HEADER]: Type.Optional(
    Type.String({ pattern: DEVICE_TOKEN_PATTERN, description: 'Random token of the device: 32 bytes in base64url' }),
  ),
});

/** The owner of the caller's choices, and the current device. Both are null for a caller that is unknown. */
interface Caller {
  readonly owner: NotificationOwner | null;
  readonly readerId: string | null;
  readonly device: StoredDevice | null;
}

const nowSeconds = ({ now }: NotificationRouteDeps): number => Math.floor(now() / 1000);

async function findCaller(request: FastifyRequest, deps: NotificationRouteDeps): Promise<Caller> {
  const hash = deviceTokenHash(request);
  const known = hash === null ? null : await deps.store.notificationDevice(hash);
  const readerId = request.principal.type === 'reader' ? request.principal.reader.id : null;
  if (readerId !== null) return { owner: readerId, readerId, device: known?.owner === readerId ? known : null };
  // The device of a reader whose session has ended gives no access to the choices of that reader.
  const device = known?.owner.startsWith('d-') ? known : null;
  return { owner: device?.owner ?? null, readerId, device };
}

function requireOwner({ owner }: Caller): NotificationOwner {
  if (owner === null) throw new HttpError(409, 'This device is not registered for notifications: register it, or sign in.');
  return owner;
}

const toDevice = ({ id, label, createdAt, seenAt }: StoredDevice, current: StoredDevice | null): NotificationDevice => ({
  ...{ id, label, createdAt, seenAt },
  isCurrent: id === current?.id,
});

const canUseBot = ({ readerId }: Caller, { bot, config }: NotificationRouteDeps): boolean =>
  readerId !== null && bot !== null && canOpenApp(config);

/** Registers the routes, unless NOTIFICATIONS is off. */
export function notificationRoutes(app: App, deps: NotificationRouteDeps): void {
  const { notifications } = deps;
  if (notifications === null) return;
  readRoutes(app, notifications, deps);
  deviceRoutes(app, notifications, deps);
  choiceRoutes(app, deps);
}

const tags = ['notifications'];
const headers = DeviceHeaders;
const config = { writableBy: 'anyone' } as const;

function readRoutes(app: App, notifications: NotificationService, deps: NotificationRouteDeps): void {
  const { store } = deps;

  app.get(
    '/api/notifications/key',
    { schema: { summary: 'Get the key of Web Push subscriptions', tags, response: responses(VapidKey) } },
    async () => ({ publicKey: notifications.publicKey }),
  );

  app.get(
    '/api/notifications',
    {
      // An anonymous device must find what it wrote a moment ago.
      config: { readsPrimary: true },
      schema: { summary: 'Choices, settings and devices', tags, headers, response: responses(Notifications) },
    },
    async (request, reply) => {
      markPrivate(reply);
      const caller = await findCaller(request, deps);
      const { owner, device } = caller;
      if (device !== null) await store.touchNotificationDevice(device.id, nowSeconds(deps));
      const settings = owner === null ? null : await store.notificationSettings(owner);
      const { botAccess: botWriteAccess, ...chosen } = settings ?? { ...DEFAULT_NOTIFICATION_SETTINGS, botAccess: false };
      return {
        settings: chosen,
        choices: owner === null ? [] : await store.notificationChoices(owner),
        devices: owner === null ? [] : (await store.notificationDevices(owner)).map((one) => toDevice(one, device)),
        canUseBot: canUseBot(caller, deps),
        botWriteAccess,
      };
    },
  );

  app.post(
    '/api/notifications/test',
    {
      config,
      schema: { summary: 'Send a test notification', tags, headers, response: { ...noContent, 202: Type.Null() } },
    },
    async (request, reply) => {
      markPrivate(reply);
      const { readerId, device } = await findCaller(request, deps);
      const settings = readerId === null ? null : await store.notificationSettings(readerId);
      if (readerId !== null && settings?.target === 'bot')
        await store.queueTest({ id: botRecipient(readerId), owner: readerId, target: 'bot' }, deps.now());
      else if (device !== null) await store.queueTest({ id: device.id, owner: device.owner, target: 'push' }, deps.now());
      else throw new HttpError(409, 'This device is not registered for notifications.');
      notifications.trigger();
      return reply.code(202).send(null);
    },
  );
}

function deviceRoutes(app: App, notifications: NotificationService, deps: NotificationRouteDeps): void {
  const { store } = deps;

  app.put(
    '/api/notifications/device',
    {
      config,
      schema: {
        summary: 'Register this device, or replace its subscription',
        ...{ tags, headers, body: DeviceChange, response: responses(NotificationDevice) },
      },
    },
    async (request, reply) => {
      markPrivate(reply);
      const tokenHash = deviceTokenHash(request);
      if (tokenHash === null) throw new HttpError(400, `The header ${DEVICE_TOKEN_HEADER} is missing.`);
      const { subscription, language } = request.body;
      assertSubscription(subscription, deps.config.pushHosts);
      const readerId = request.principal.type === 'reader' ? request.principal.reader.id : null;
      const { endpoint, keys } = subscription;
      const label = deviceLabel(request.headers['user-agent']);
      const device = await store.putNotificationDevice(
        { tokenHash, readerId, endpoint, p256dh: keys.p256dh, auth: keys.auth, language, label },
        nowSeconds(deps),
      );
      return toDevice(device, device);
    },
  );

  app.delete(
    '/api/notifications/devices/:id',
    {
      config,
      schema: {
        summary: 'Remove a device',
        ...{ tags, headers, params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }), response: noContent },
      },
    },
    async (request, reply) => {
      markPrivate(reply);
      const { owner } = await findCaller(request, deps);
      if (owner === null || !(await store.deleteNotificationDevice(owner, request.params.id))) throw notFound('This device');
      return reply.code(204).send(null);
    },
  );

  app.put(
    '/api/notifications/bot-access',
    { schema: { summary: 'Report that the bot may write to the reader', tags, response: noContent } },
    async (request, reply) => {
      const { id } = requireReader(request, reply);
      await store.setBotAccess(id, true);
      notifications.trigger();
      return reply.code(204).send(null);
    },
  );
}

function choiceRoutes(app: App, deps: NotificationRouteDeps): void {
  const { store } = deps;

  app.put(
    '/api/notifications/settings',
    {
      config,
      schema: {
        summary: 'Save the settings of notifications',
        ...{ tags, headers, body: NotificationSettings, response: responses(NotificationSettings) },
      },
    },
    async (request, reply) => {
      markPrivate(reply);
      const caller = await findCaller(request, deps);
      const owner = requireOwner(caller);
      const { body: settings } = request;
      if (!isTimeZone(settings.timeZone)) throw new HttpError(400, 'timeZone is not a known time zone.');
      if (settings.target === 'bot' && !canUseBot(caller, deps))
        throw new HttpError(400, 'The bot is not available as a target for this caller.');
      await store.putNotificationSettings(owner, settings, deps.now());
      return settings;
    },
  );

  app.put(
    '/api/notifications/channels/:channelId',
    {
      config,
      schema: {
        summary: 'Choose the notifications of a channel',
        ...{ tags, headers, params: Type.Object({ channelId: Type.String({ minLength: 1, maxLength: 64 }) }) },
        ...{ body: ChoiceChange, response: responses(Choice) },
      },
    },
    async (request, reply) => {
      markPrivate(reply);
      const owner = requireOwner(await findCaller(request, deps));
      const channel = await findChannel(request.params.channelId, await accessScopeOf(request), deps);
      const choice = {
        channelId: channel.id,
        mode: request.body.mode,
        words: request.body.mode === 'words' ? request.body.words : [],
      };
      const phrases = choice.words.map((word) => extractIndexTerms(word).map(({ term }) => term));
      if (choice.mode === 'words' && (phrases.length === 0 || phrases.some((terms) => terms.length === 0)))
        throw new HttpError(400, 'Each entry of words must contain a word.');
      if (!(await store.putNotificationChoice(owner, { ...choice, phrases })))
        throw new HttpError(422, 'Too many channels have notifications: turn some of them off first.');
      return choice;
    },
  );

  app.delete(
    '/api/notifications',
    { config, schema: { summary: 'Turn all notifications off', tags, headers, response: noContent } },
    async (request, reply) => {
      markPrivate(reply);
      const { owner } = await findCaller(request, deps);
      if (owner !== null) await store.deleteNotifications(owner);
      return reply.code(204).send(null);
    },
  );
}
