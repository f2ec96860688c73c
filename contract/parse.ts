// Response parsers of the public API, for the browser. The contract's types determine the fields; TypeBox stays on the server.
// A response that lacks a required field is rejected completely. Fields that a newer server adds are ignored.
import type * as Api from './api.ts';
import type * as Channels from './channel.ts';
import type * as Lineups from './lineup.ts';
import type * as Posts from './post.ts';
import { boolean, known, list, nullable, number, optional, type Parse, shape, string, word } from './shape.ts';

export { ParseError } from './shape.ts';

const text = optional(string);
const count = optional(number);
const flag = optional(boolean);

const picture = shape<Channels.Picture>({ src: string, width: number, height: number, placeholder: text });

export const channel = shape<Channels.Channel>({
  id: string,
  title: string,
  username: text,
  about: text,
  picture: optional(picture),
  members: count,
  source: word({ bot: 1, export: 1, feed: 1 }, 'feed'),
  state: word({ live: 1, paused: 1, archived: 1 }, 'live'),
  private: boolean,
  demo: boolean,
  since: count,
  latest: optional(shape({ id: number, date: number })),
  pinned: count,
  pinnedPosts: optional(list(number)),
  elsewhere: flag,
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
  // A type added later is rendered as bold: its text is there, and stands out.
  type: word(entityTypes, 'bold'),
  offset: number,
  length: number,
  url: text,
  language: text,
  userId: text,
  emojiId: text,
  time: count,
});

const media = shape<Posts.Media>({
  type: word({ photo: 1, video: 1, animation: 1, audio: 1, voice: 1, video_note: 1, document: 1, sticker: 1 }, 'document'),
  messageId: number,
  src: text,
  missing: optional(word({ 'not-included': 1, 'too-large': 1, lost: 1, pending: 1, dropped: 1 }, 'lost')),
  width: count,
  height: count,
  placeholder: text,
  poster: optional(picture),
  name: text,
  mime: text,
  size: count,
  duration: count,
  title: text,
  performer: text,
  emoji: text,
  spoiler: flag,
  motion: text,
});

const poll = shape<Posts.Poll>({
  question: string,
  closed: boolean,
  total: count,
  options: list(shape<Posts.Poll['options'][number]>({ text: string, votes: count, correct: flag })),
});

export const place = shape<Posts.Place>({ latitude: number, longitude: number, title: text, address: text });

export const post = shape<Posts.Post>({
  channelId: string,
  id: number,
  date: number,
  edited: count,
  text: string,
  entities: list(entity),
  media: list(media),
  reactions: list(shape<Posts.Reaction>({ emoji: string, emojiId: text, paid: flag, count: number })),
  author: text,
  reply: optional(shape<Posts.Reply>({ id: number, channelId: text, excerpt: text })),
  forward: optional(shape<Posts.Forward>({ name: nullable(string), channelId: text, messageId: count, date: count })),
  poll: optional(poll),
  place: optional(place),
  contact: optional(shape<NonNullable<Posts.Post['contact']>>({ name: string, phone: text })),
  service: known(
    shape<Posts.Service>({ action: word({ created: 1, renamed: 1, pinned: 1, picture: 1 }), title: text, messageId: count }),
  ),
  // Parsed when it is shown (extra.ts).
  extra: (raw) => raw ?? undefined,
  other: text,
  gap: count,
  gone: count,
  pinned: flag,
  link: text,
});

const next = nullable(string);
const page = <Item>(item: Parse<Item>): Parse<{ items: Item[]; next: string | null }> => shape({ items: list(item), next });

export const channelPage = page(channel);
const hits = known<Record<string, number[]>>((raw, at) =>
  Object.fromEntries(Object.entries(Object(raw)).map(([key, each]) => [key, list(number)(each, at)])),
);
export const postPage = shape<Api.PostPage>({ items: list(post), next, previous: next, channels: list(channel), hits });
export const postAnswer = shape<Api.PostAnswer>({ post, channel });

export const reader = shape<Api.Reader>({ id: string, name: string, username: text, language: text, operator: boolean });
export const me = shape<Api.Me>({ user: nullable(reader) });
export const signIn = shape<Api.SignIn>({ 'Access-Token': string, user: reader, expiresAt: string });

export const lineupEntry = shape<Lineups.LineupEntry>({
  channelId: string,
  followed: flag,
  mutedUntil: count,
  mutedWords: optional(list(string)),
  feed: text,
  changed: count,
});
const preset = shape<Lineups.Preset>({ id: string, name: string, channelIds: list(string), removed: flag, changed: count });
const presets = list(preset);
const contents = { entries: list(lineupEntry), presets: optional(presets), ordered: count };
export const lineupContents = shape<Lineups.LineupContents>(contents);
export const lineup = shape<Lineups.Lineup>({ ...contents, version: number });
export const lineupChange = shape<Lineups.LineupChange>({ ...contents, version: count });
export const mark = shape<Api.Mark>({ channelId: string, messageId: number });
export const star = shape<Api.Star>({ channelId: string, postId: number, at: number });
export const unread = shape<Api.Unread>({ channelId: string, count: number });

export const markPage = shape<Api.MarkPage>({ items: list(mark), next, keptUnread: optional(list(string)) });
export const unreadPage = page(unread);
export const starPage = shape<Api.StarPage>({ items: list(star), next, posts: list(post), channels: list(channel) });
