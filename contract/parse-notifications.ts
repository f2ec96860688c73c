// Response parsers of the notifications API, for the browser (see parse.ts), and the parser of Web Push payloads.
import type * as Api from './notifications.ts';
import { boolean, list, nullable, number, oneOf, optional, type Parse, shape, string } from './shape.ts';

export const notificationChoice = shape<Api.Choice>({
  channelId: string,
  mode: oneOf<Api.Choice['mode']>({ off: 1, all: 1, words: 1 }),
  words: list(string),
});

export const notificationSettings = shape<Api.NotificationSettings>({
  delivery: oneOf<Api.NotificationSettings['delivery']>({ immediate: 1, hourly: 1, daily: 1 }),
  dailyAt: number,
  quiet: nullable(shape<NonNullable<Api.NotificationSettings['quiet']>>({ from: number, to: number })),
  timeZone: string,
  target: oneOf<Api.NotificationSettings['target']>({ push: 1, bot: 1 }),
});

export const notificationDevice = shape<Api.NotificationDevice>({
  id: string,
  label: string,
  createdAt: number,
  seenAt: number,
  isCurrent: boolean,
});

export const notifications = shape<Api.Notifications>({
  settings: notificationSettings,
  choices: list(notificationChoice),
  devices: list(notificationDevice),
  canUseBot: boolean,
  botWriteAccess: boolean,
});

export const vapidKey = shape<Api.VapidKey>({ publicKey: string });

type PayloadOf<Type extends Api.PushPayload['type']> = Omit<Extract<Api.PushPayload, { type: Type }>, 'type'>;

const direction = oneOf<Api.PayloadDirection>({ ltr: 1, rtl: 1 }, 'ltr');
const texts = { title: string, body: string, language: string, direction, url: string, sentAt: number };

/** Parsers of the fields of a payload, by its type. */
const PAYLOAD_PARSERS: { readonly [Type in Api.PushPayload['type']]: Parse<PayloadOf<Type>> } = {
  post: shape<PayloadOf<'post'>>({
    ...texts,
    channelId: string,
    postId: number,
    image: optional(string),
    icon: optional(string),
    count: number,
  }),
  digest: shape<PayloadOf<'digest'>>({
    ...texts,
    items: list(shape<Api.DigestItem>({ channelId: string, postId: number, title: string, body: string })),
    count: number,
  }),
  read: shape<PayloadOf<'read'>>({ channelId: string, upTo: number }),
  test: shape<PayloadOf<'test'>>(texts),
};

const payloadType = shape<Pick<Api.PushPayload, 'type'>>({ type: oneOf<Api.PushPayload['type']>(PAYLOAD_PARSERS) });

/** Parses a payload of Web Push. Throws a `ParseError` for a malformed one, and for a type of a newer server. */
export const pushPayload: Parse<Api.PushPayload> = (raw, path) => {
  const { type } = payloadType(raw, path);
  // The cast is sound: the parser of this type has checked the fields.
  return { type, ...PAYLOAD_PARSERS[type](raw, path) } as Api.PushPayload;
};
