import type { Words } from '../../contract/extra.ts';
import { plainText } from '../../contract/plain-text.ts';
import type { Post } from '../../contract/post.ts';
import { joinWords } from './formatted-text.ts';
import type { MessageBody } from './merge-message.ts';
import type { KeptMedia } from './model.ts';
import type { Pins } from './pins.ts';

/** One kept message, as an engine reads it back. */
export interface KeptMessage {
  readonly channelId: string;
  readonly id: number;
  readonly date: number;
  readonly album: string | null;
  /** Ids before it that nothing explains. */
  readonly gap: number;
  /** When it was found deleted at its source, unix seconds. */
  readonly gone: number | null;
  readonly body: ReadBody;
}

/** A body as it was read for this answer: nobody else holds it. */
type ReadBody = Omit<MessageBody, 'media'> & { media: KeptMedia[] };

/** What of a channel shows in its posts. */
export interface PostChannel {
  readonly id: string;
  readonly username: string | null;
  readonly feed: boolean;
  readonly demo: boolean;
  readonly pins: Pins;
}

const EXCERPT = 120;

const linkOf = (channel: PostChannel, messageId: number): string | null => {
  if (channel.feed || channel.demo) return null;
  return `https://t.me/${channel.username ?? `c/${channel.id}`}/${messageId}`;
};

/** What an album's messages say together. */
const unite = (messages: readonly [KeptMessage, ...KeptMessage[]]): ReadBody => {
  const [head] = messages;
  // Mostly one picture of an album has a caption, and it is the album's; where several have their own, none is lost.
  const captions = new Map(messages.map(({ body }) => [body.text, body]));
  const { text, entities } = joinWords([...captions.values()], '\n\n');
  const edited = Math.max(...messages.map(({ body }) => body.edited ?? 0));
  return {
    ...head.body,
    ...(edited > 0 ? { edited } : {}),
    text,
    entities: [...entities],
    media: messages.flatMap(({ body }) => body.media),
    reactions: messages.find(({ body }) => body.reactions.length > 0)?.body.reactions ?? [],
  };
};

/** Makes the post that a list shows out of a message or out of an album's messages, which come in the order of their ids. */
export const assemble = (messages: readonly [KeptMessage, ...KeptMessage[]], channel: PostChannel): Post => {
  const [{ channelId, id, date, body }] = messages;
  // What is spread comes last: before other fields V8 copies it one by one (9 µs a post, against 2).
  const post: Post = { channelId, id, date, ...(messages.length === 1 ? body : unite(messages)) };
  if (messages.some((message) => channel.pins.has(message.id) && message.gone === null)) post.pinned = true;
  const missing = messages.reduce((sum, { gap }) => sum + gap, 0);
  if (missing > 0) post.gap = missing;
  const gone = messages.find((message) => message.gone !== null)?.gone;
  if (gone) post.gone = gone;
  const link = linkOf(channel, id);
  if (link !== null) post.link = link;
  return post;
};

/** Cuts words to what a reply quotes: one line, at most 120 characters, no half of a pair, nothing that a spoiler covers. */
export const excerptOf = (words: Words): string => {
  const line = plainText(words).replace(/\s+/gu, ' ').trim();
  if (line.length <= EXCERPT) return line;
  const cut = line.slice(0, EXCERPT - 1);
  return `${cut.replace(/[\ud800-\udbff]$/u, '').trimEnd()}…`;
};
