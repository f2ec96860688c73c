// Notifications: schemas and limits of a reader's choices, devices and settings, and the payloads of Web Push.
import { type Static, Type } from 'typebox';

/** Maximum number of words of one channel's choice, and the length of a word. */
export const MAX_CHOICE_WORDS = 20;
export const MAX_CHOICE_WORD_LENGTH = 40;

/** Maximum number of channels that one owner chooses. */
export const MAX_CHOICES = 1000;

/** Maximum number of devices of one reader. A further device replaces the one that was seen the longest ago. */
export const MAX_DEVICES = 20;

/** Days without a visit after which a device is deleted. */
export const DEVICE_DAYS = 90;

/**
 * Header with the random token of a device: 32 bytes in base64url, created by the browser. The server stores a hash of
 * it. Requests of signed-in readers contain it too, which marks the current device.
 */
export const DEVICE_TOKEN_HEADER = 'x-changer-device';
export const DEVICE_TOKEN_PATTERN = '^[A-Za-z0-9_-]{43}$';

/** Maximum size of an encrypted payload's plain text, in bytes. */
export const MAX_PAYLOAD_BYTES = 3000;

export const CHOICE_MODES = ['off', 'all', 'words'] as const;
export const DELIVERIES = ['immediate', 'hourly', 'daily'] as const;
export const TARGETS = ['push', 'bot'] as const;

const MinuteOfDay = Type.Integer({ minimum: 0, maximum: 1439 });
const Words = Type.Array(Type.String({ minLength: 1, maxLength: MAX_CHOICE_WORD_LENGTH }), { maxItems: MAX_CHOICE_WORDS });

/**
 * Body of PUT /api/notifications/channels/{channelId}. `words` are the words of which a post must contain one. They are
 * empty unless `mode` is "words".
 */
export const ChoiceChange = Type.Object({ mode: Type.Enum([...CHOICE_MODES]), words: Words });
export type ChoiceChange = Static<typeof ChoiceChange>;

/** Choice of a channel. A channel without a choice is "off". */
export const Choice = Type.Object({ channelId: Type.String(), ...ChoiceChange.properties });
export type Choice = Static<typeof Choice>;

/**
 * Settings for all channels. `delivery` "hourly" and "daily" replace notifications by a digest. `dailyAt` is its minute
 * of the day. `quiet` are minutes of the day: from `from` until before `to`, over midnight if `from` is the larger.
 * Times are those of `timeZone`, an IANA name. `target` "bot" is for signed-in readers: the bot sends messages instead.
 */
export const NotificationSettings = Type.Object({
  delivery: Type.Enum([...DELIVERIES]),
  dailyAt: MinuteOfDay,
  quiet: Type.Union([Type.Object({ from: MinuteOfDay, to: MinuteOfDay }), Type.Null()]),
  timeZone: Type.String({ minLength: 1, maxLength: 64 }),
  target: Type.Enum([...TARGETS]),
});
export type NotificationSettings = Static<typeof NotificationSettings>;

/** Settings of an owner that has stored none. The client replaces the time zone by its own. */
export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  delivery: 'immediate',
  dailyAt: 540,
  quiet: null,
  timeZone: 'UTC',
  target: 'push',
};

/**
 * A device with a Web Push subscription. `label` names its browser and system, such as "Chromium on Linux". Times are
 * unix seconds. `isCurrent` is true for the device that sent the request.
 */
export const NotificationDevice = Type.Object({
  id: Type.String(),
  label: Type.String(),
  createdAt: Type.Integer(),
  seenAt: Type.Integer(),
  isCurrent: Type.Boolean(),
});
export type NotificationDevice = Static<typeof NotificationDevice>;

/**
 * Body of PUT /api/notifications/device: the subscription as `PushSubscription.toJSON()` returns it, and the locale of
 * the app, which is the language of the texts that the server writes. The response is a `NotificationDevice`.
 */
export const DeviceChange = Type.Object({
  subscription: Type.Object({
    endpoint: Type.String({ minLength: 1, maxLength: 1000 }),
    keys: Type.Object({
      p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}=?$' }),
      auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$' }),
    }),
  }),
  language: Type.String({ minLength: 2, maxLength: 35 }),
});
export type DeviceChange = Static<typeof DeviceChange>;

/** Response of GET /api/notifications/key: the server's VAPID public key in base64url (`applicationServerKey`). */
export const VapidKey = Type.Object({ publicKey: Type.String() });
export type VapidKey = Static<typeof VapidKey>;

/**
 * Response of GET /api/notifications. `canUseBot` is true if the target "bot" is available to the reader.
 * `botWriteAccess` is true if the bot may write to the reader: the reader granted it, and has neither sent /stop nor
 * blocked the bot since.
 */
export const Notifications = Type.Object({
  settings: NotificationSettings,
  choices: Type.Array(Choice),
  devices: Type.Array(NotificationDevice),
  canUseBot: Type.Boolean(),
  botWriteAccess: Type.Boolean(),
});
export type Notifications = Static<typeof Notifications>;

/** Text direction of a payload. */
export type PayloadDirection = 'ltr' | 'rtl';

/**
 * Payload of a Web Push message. Texts are plain, without spoilers, and cut to fit MAX_PAYLOAD_BYTES. Paths begin with
 * "/". `sentAt` is unix seconds.
 * - `post`: the newest post of a channel; `count` is the number of new posts that the notification stands for. It
 *   replaces the notification with the tag `channel:<channelId>`.
 * - `digest`: the newest post of each channel; `count` is the number of new posts of all channels.
 * - `read`: posts of the channel were read on another device, up to the id `upTo`. Closes the notification of the
 *   channel if it shows no later post.
 * - `test`: the reader tries notifications out.
 */
export type PushPayload =
  | {
      readonly type: 'post';
      readonly channelId: string;
      readonly postId: number;
      readonly title: string;
      readonly body: string;
      readonly language: string;
      readonly direction: PayloadDirection;
      readonly image?: string;
      readonly icon?: string;
      readonly url: string;
      readonly count: number;
      readonly sentAt: number;
    }
  | {
      readonly type: 'digest';
      readonly title: string;
      readonly body: string;
      readonly language: string;
      readonly direction: PayloadDirection;
      readonly items: readonly DigestItem[];
      readonly url: string;
      readonly count: number;
      readonly sentAt: number;
    }
  | { readonly type: 'read'; readonly channelId: string; readonly upTo: number }
  | {
      readonly type: 'test';
      readonly title: string;
      readonly body: string;
      readonly language: string;
      readonly direction: PayloadDirection;
      readonly url: string;
      readonly sentAt: number;
    };

/** The newest post of a channel in a digest. */
export interface DigestItem {
  readonly channelId: string;
  readonly postId: number;
  readonly title: string;
  readonly body: string;
}
