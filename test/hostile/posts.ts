// Hostile posts: channels and posts with the corpus of payloads in every field.

import type { Channel } from '../../contract/channel.ts';
import type { ContentBlock, PostExtra } from '../../contract/extra.ts';
import { ENTITY_TYPES, type Entity, type Media } from '../../contract/post.ts';
import type { Message } from '../../server/domain/model.ts';
import { channel, message } from '../server/support/make-app.ts';
import { ADDRESSES, ALL_TEXTS, FILE_NAMES } from './corpus.ts';

/** Number of posts on a page. The corpus is distributed over them, so that one page contains all of it. */
const POSTS = 20;
const NOW = Math.floor(Date.now() / 1000);

const shareOf = (all: readonly string[], at: number): string[] => all.filter((_, index) => index % POSTS === at);
const pick = (all: readonly string[], at: number): string => all[at % all.length] ?? '';

/** Returns a text with one payload per line. Each line has an entity with another payload in each of its fields. */
function textWithEntities(texts: readonly string[], from: number): { text: string; entities: Entity[] } {
  let text = '';
  const entities = texts.map((each, at): Entity => {
    const offset = text.length;
    text += `${each}\n`;
    const overrides = { url: pick(ADDRESSES, from + at), language: each, userId: each, emojiId: each, time: NOW };
    return {
      type: at % 2 === 0 ? 'text_link' : (ENTITY_TYPES[(from + at) % ENTITY_TYPES.length] ?? 'pre'),
      offset,
      length: each.length,
      ...overrides,
    };
  });
  return { text, entities };
}

/** Returns a rare kind of post with payloads in all of its fields. */
function extraOf(texts: readonly string[], at: number): PostExtra {
  const [first = '', second = first] = texts;
  const richText = textWithEntities(texts, at);
  const url = pick(ADDRESSES, at);
  const blocks: ContentBlock[] = [
    { type: 'paragraph', ...richText },
    { type: 'heading', size: 2, ...richText },
    { type: 'pre', language: first, ...richText },
    { type: 'pullquote', ...richText, credit: richText },
    { type: 'math', text: first },
    { type: 'list', items: [{ label: first, blocks: [{ type: 'paragraph', ...richText }] }] },
    { type: 'table', rows: [[{ ...richText, header: true }]], caption: richText },
    { type: 'details', summary: richText, blocks: [{ type: 'footer', ...richText }], open: true },
    { type: 'map', place: { latitude: 1, longitude: 1, title: first, address: second }, caption: richText },
    { type: 'buttons', buttons: [...shareOf(ADDRESSES, at), url].map((each) => ({ text: first, url: each })) },
    { type: 'unknown', name: second },
  ];
  const kinds: PostExtra[] = [
    { type: 'rich', blocks },
    { type: 'checklist', title: richText, tasks: texts.map((text) => ({ text, entities: [], done: true })) },
    { type: 'story', name: first, url },
    { type: 'giveaway', winners: 1, until: NOW, prize: first, channels: [...texts] },
    { type: 'giveaway-over', winners: 1, prize: first, names: [...texts] },
    { type: 'invoice', title: first, about: second, amount: 1, currency: first },
    { type: 'game', title: first, about: second },
    { type: 'dice', emoji: first, value: 1 },
    { type: 'unknown', name: first },
  ];
  return (at % 2 === 0 ? kinds[0] : nth(kinds, at)) ?? { type: 'unknown', name: first };
}

const nth = <One>(all: readonly One[], at: number): One | undefined => all[at % all.length];

/** Returns files with hostile names, types and URLs. The path of each is on this server, as the store saves it. */
const filesOf = (texts: readonly string[], at: number): Media[] =>
  shareOf(FILE_NAMES, at % FILE_NAMES.length).map((name) => ({
    ...{ type: at % 3 === 0 ? 'audio' : 'document', messageId: at + 1, src: '/media/aa11.pdf', name, mime: texts[0] ?? '' },
    ...{ title: texts[1] ?? '', performer: texts[2] ?? '', emoji: texts[0] ?? '', size: 1, duration: 1 },
  }));

/** Returns one post of the channel with its share of the corpus in every field that a source can provide. */
function postOf(channelId: string, at: number): Message {
  const texts = shareOf(ALL_TEXTS, at);
  const [first = '', second = first, third = second] = texts;
  const base = message(channelId, at + 1, '', filesOf(texts, at), NOW - 100_000 + at * 60);
  const kinds = [
    { poll: { question: first, closed: true, total: 3, options: texts.map((text) => ({ text, votes: 1 })) } },
    { place: { latitude: 1, longitude: 1, title: first, address: second } },
    { contact: { name: first, phone: second } },
    {},
  ];
  const post = {
    ...base.post,
    ...{ ...textWithEntities(texts, at * 7), author: first, forward: { name: second }, other: third, link: pick(ADDRESSES, at) },
    ...{ reply: { id: 1, excerpt: third }, reactions: [{ emoji: first, emojiId: second, count: 1 }], extra: extraOf(texts, at) },
    ...kinds[at % kinds.length],
  };
  return { ...base, post, raw: JSON.stringify({ one: first, two: second }) };
}

/** Returns a channel with payloads in all of its fields. Its posts contain the whole corpus. */
export const hostileChannel = (id: string, overrides: Partial<Channel> = {}): Channel =>
  channel(id, { title: ALL_TEXTS.slice(0, 9).join(' '), about: ALL_TEXTS.join('\n'), ...overrides });

export const hostilePosts = (channelId: string): Message[] => Array.from({ length: POSTS }, (_, at) => postOf(channelId, at));

/** Returns channels whose title and username are one payload each, each with one post. */
export const hostileNames = (): { channel: Channel; post: Message }[] =>
  ALL_TEXTS.filter((_, at) => at % 5 === 0).map((text, at) => ({
    channel: channel(`5${at}`, { title: text, username: text.slice(0, 60), about: text }),
    post: message(`5${at}`, 1, text, [], NOW - 900_000 - at),
  }));
