// Response parsers of the public API, for the browser. The contract's types determine the fields; TypeBox stays on the
// server. A response that lacks a required field is rejected completely. Fields that a newer server adds are ignored.
import type * as Api from './api.ts';
import type * as Channels from './channel.ts';
import type * as Lineups from './lineup.ts';
import type * as Posts from './post.ts';
import { boolean, lenient, list, nullable, number, oneOf, optional, type Parse, shape, string } from './shape.ts';

export { ParseError } from './shape.ts';

const optionalString = optional(string);
const optionalNumber = optional(number);
const optionalBoolean = optional(boolean);

const picture = shape<Channels.StoredPicture>({ src: string, width: number, height: number, placeholder: optionalString });

export const channel = shape<Channels.Channel>({
  id: string,
  title: string,
  username: optionalString,
  about: optionalString,
  picture: optional(picture),
  members: optionalNumber,
  source: oneOf({ bot: 1, export: 1, feed: 1 }, 'feed'),
  state: oneOf({ live: 1, paused: 1, archived: 1 }, 'live'),
  private: boolean,
  demo: boolean,
  since: optionalNumber,
  latest: optional(shape({ id: number, date: number })),
  pinned: optionalNumber,
  pinnedPosts: optional(list(number)),
  elsewhere: optionalBoolean,
});

const entityTypes: Record<Posts.Entity['type'], 1> = {
  mention: 1,
  hashtag: 1,
  cashtag: 1,
  bot_command: 1,
  url: 1,
  email: 1,
  phone_number: 1,
  bank_card: 1,
  bold: 1,
  italic: 1,
  underline: 1,
  strikethrough: 1,
  spoiler: 1,
  blockquote: 1,
  expandable_blockquote: 1,
  code: 1,
  pre: 1,
  text_link: 1,
  text_mention: 1,
  custom_emoji: 1,
  date_time: 1,
  subscript: 1,
  superscript: 1,
  marked: 1,
  math: 1,
};

export const entity = shape<Posts.Entity>({
  // A type that a newer server adds is rendered as bold, so that its text remains visible and highlighted.
  type: oneOf(entityTypes, 'bold'),
  offset: number,
  length: number,
  url: optionalString,
  language: optionalString,
  userId: optionalString,
  emojiId: optionalString,
  time: optionalNumber,
});

const media = shape<Posts.Media>({
  type: oneOf({ photo: 1, video: 1, animation: 1, audio: 1, voice: 1, video_note: 1, document: 1, sticker: 1 }, 'document'),
  messageId: number,
  src: optionalString,
  missing: optional(oneOf({ 'not-included': 1, 'too-large': 1, lost: 1, pending: 1, dropped: 1 }, 'lost')),
  width: optionalNumber,
  height: optionalNumber,
  placeholder: optionalString,
  poster: optional(picture),
  name: optionalString,
  mime: optionalString,
  size: optionalNumber,
  duration: optionalNumber,
  title: optionalString,
  performer: optionalString,
  emoji: optionalString,
  spoiler: optionalBoolean,
  motion: optionalString,
});

const poll = shape<Posts.Poll>({
  question: string,
  closed: boolean,
  total: optionalNumber,
  options: list(shape<Posts.Poll['options'][number]>({ text: string, votes: optionalNumber, correct: optionalBoolean })),
});

export const venue = shape<Posts.Venue>({ latitude: number, longitude: number, title: optionalString, address: optionalString });

export const post = shape<Posts.Post>({
  channelId: string,
  id: number,
  date: number,
  edited: optionalNumber,
  text: string,
  entities: list(entity),
  media: list(media),
  reactions: list(shape<Posts.Reaction>({ emoji: string, emojiId: optionalString, paid: optionalBoolean, count: number })),
  author: optionalString,
  reply: optional(shape<Posts.Reply>({ id: number, channelId: optionalString, excerpt: optionalString })),
  forward: optional(
    shape<Posts.Forward>({ name: nullable(string), channelId: optionalString, messageId: optionalNumber, date: optionalNumber }),
  ),
  poll: optional(poll),
  place: optional(venue),
  contact: optional(shape<NonNullable<Posts.Post['contact']>>({ name: string, phone: optionalString })),
  service: lenient(
    shape<Posts.Service>({
      action: oneOf({ created: 1, renamed: 1, pinned: 1, picture: 1 }),
      title: optionalString,
      messageId: optionalNumber,
    }),
  ),
  // Parsed when it is shown (extra.ts).
  extra: (raw) => raw ?? undefined,
  other: optionalString,
  gap: optionalNumber,
  gone: optionalNumber,
  pinned: optionalBoolean,
  link: optionalString,
});

const next = nullable(string);
const page = <Item>(item: Parse<Item>): Parse<{ items: Item[]; next: string | null }> => shape({ items: list(item), next });

export const pagedChannels = page(channel);
const hits = lenient<Record<string, number[]>>((raw, path) =>
  Object.fromEntries(Object.entries(Object(raw)).map(([key, offsets]) => [key, list(number)(offsets, path)])),
);
export const pagedPosts = shape<Api.PagedPosts>({ items: list(post), next, previous: next, channels: list(channel), hits });
export const postResponse = shape<Api.PostResponse>({ post, channel });

export const reader = shape<Api.Reader>({
  id: string,
  name: string,
  username: optionalString,
  language: optionalString,
  operator: boolean,
});
export const me = shape<Api.Me>({ user: nullable(reader) });
export const signIn = shape<Api.SignIn>({ 'Access-Token': string, user: reader, expiresAt: string });

export const lineupEntry = shape<Lineups.LineupEntry>({
  channelId: string,
  followed: optionalBoolean,
  mutedUntil: optionalNumber,
  mutedWords: optional(list(string)),
  feed: optionalString,
  changed: optionalNumber,
});
const preset = shape<Lineups.Preset>({
  id: string,
  name: string,
  channelIds: list(string),
  removed: optionalBoolean,
  changed: optionalNumber,
});
const presets = list(preset);
const contents = { entries: list(lineupEntry), presets: optional(presets), ordered: optionalNumber };
export const lineupContents = shape<Lineups.LineupContents>(contents);
export const lineup = shape<Lineups.Lineup>({ ...contents, version: number });
export const lineupChange = shape<Lineups.LineupChange>({ ...contents, version: optionalNumber });
export const readMarker = shape<Api.ReadMarker>({ channelId: string, messageId: number });
export const star = shape<Api.Star>({ channelId: string, postId: number, at: number });
export const unread = shape<Api.ChannelUnread>({ channelId: string, count: number });

export const readMarkerPage = shape<Api.ReadMarkerPage>({ items: list(readMarker), next, keptUnread: optional(list(string)) });
export const unreadPage = page(unread);
export const starPage = shape<Api.StarPage>({ items: list(star), next, posts: list(post), channels: list(channel) });
