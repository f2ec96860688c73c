// Offline search: finds words in the posts that this device stores, and counts their hashtags.

import type { PostKind } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import { fold } from '../../../contract/fold.ts';
import * as parse from '../../../contract/parse.ts';
import type { Media, Post } from '../../../contract/post.ts';
import { list, number, shape, string } from '../../../contract/shape.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { postKey } from '../model/post-key.ts';
import { type Device, fit, type Held, held } from '../offline/offline-store.ts';
import type { HeldPage } from './post-list/post-list.ts';
import type { SearchQuery } from './search-types.ts';

/** Number of found posts per page. */
const PAGE = 100;
/** Number of suggested hashtags, and number of posts per channel in which they are counted. */
const TAGS = 8;
const TAG_DEPTH = 40;
/** Time that the stored posts stay in memory after a search, ms. */
const REMEMBERED = 60_000;
/** Number of posts that are read and folded in one step: some milliseconds, so that key presses are handled in between. */
const SLICE = 200;

/** A stored post, parsed only as far as the search needs. */
interface Findable {
  readonly channelId: string;
  readonly date: number;
  /** Normalized text for comparison. */
  readonly text: string;
  readonly raw: unknown;
}

/**
 * Finds the stored posts that contain each word as it was typed, newest first. It has no stemming, and finds no post that was
 * never loaded on this device. The result's time is when the server returned the channels; single posts may be newer.
 */
export async function searchKept(device: Device, query: SearchQuery): Promise<Held<HeldPage>> {
  const told = await channelsOf(device);
  const channels = told?.value ?? [];
  const { items, isEnd } = await find(device, channels, query, null);
  return { value: { items, channels, next: isEnd ? null : undefined, previous: null }, at: told?.at ?? Date.now() };
}

/** Finds the next results after a post. */
export async function olderKept(device: Device, query: SearchQuery, last: Post): Promise<Pick<HeldPage, 'items' | 'channels'>> {
  const channels = (await channelsOf(device))?.value ?? [];
  const { items } = await find(device, channels, query, postKey(last));
  return { items, channels };
}

async function find(device: Device, channels: readonly Channel[], query: SearchQuery, above: string | null) {
  const meant = new Set(channels.flatMap((channel) => (isMeant(channel, query.channelIds) ? channel.id : [])));
  const words = (query.q ?? '').split(/\s+/).map(spelling).filter(Boolean);
  const items: Post[] = [];
  let isBelow = above === null;
  for (const { channelId, date, text, raw } of await remembered(device, channels)) {
    if (!meant.has(channelId) || !isWithin(date, query) || !words.every((word) => text.includes(word))) continue;
    const post = fit(heldPost, raw)?.value;
    if (post === undefined || !fits(post, query)) continue;
    if (isBelow && items.length === PAGE) return { items, isEnd: false };
    if (isBelow) items.push(post);
    else isBelow = postKey(post) === above;
  }
  return { items, isEnd: true };
}

const channelsOf = (device: Device): Promise<Held<Channel[]> | null> => device.answer('channels', list(parse.channel));

const heldPost = held(parse.post);
const findable = shape<{ value: Pick<Post, 'date' | 'text'> }>({
  value: shape<Pick<Post, 'date' | 'text'>>({ date: number, text: string }),
});

/** Loads the stored posts into memory, for a search that will follow soon. */
export async function prepareKept(device: Device): Promise<void> {
  await remembered(device, (await channelsOf(device))?.value ?? []);
}

interface Memory {
  readonly posts: Promise<readonly Findable[]>;
  forgetting?: ReturnType<typeof setTimeout>;
}

const memories = new WeakMap<Device, Memory>();

/** Returns all stored posts, newest first. They are read once, then stay in memory while searches continue. */
function remembered(device: Device, channels: readonly Channel[]): Promise<readonly Findable[]> {
  const memory: Memory = memories.get(device) ?? { posts: readAll(device, channels) };
  memories.set(device, memory);
  clearTimeout(memory.forgetting);
  memory.forgetting = setTimeout(() => memories.delete(device), REMEMBERED);
  return memory.posts;
}

async function readAll(device: Device, channels: readonly Channel[]): Promise<readonly Findable[]> {
  const { reader, public: common } = await device.kept;
  const found = new Map<string, Findable>();
  // Posts in the reader's store replace those in the public store.
  for (const shelf of [common, reader]) await Promise.all(channels.map(({ id }) => readChannel(shelf, id, found)));
  // An empty result is not cached: the database may open later, and reading an empty one is fast.
  if (found.size === 0) memories.delete(device);
  return [...found.values()].sort((one, other) => other.date - one.date);
}

async function readChannel(shelf: Shelf, channelId: string, found: Map<string, Findable>): Promise<void> {
  let below: string | undefined;
  do {
    const slice = await shelf.list(`post/${channelId}/`, { last: SLICE, ...(below !== undefined && { below }) });
    for (const [key, raw] of slice) {
      const post = fit(findable, raw)?.value;
      if (post !== undefined) found.set(key, { channelId, date: post.date, text: spelling(post.text), raw });
    }
    below = slice[SLICE - 1]?.[0];
  } while (below !== undefined);
}

/**
 * Text that folding changes only in case and ё. This shortcut saves most of the time of a search in Russian, where folding
 * would decompose each й.
 */
const PLAIN = /^[\x20-\x7e\s\u0400-\u045f«»–—‘’“”„\u{1f300}-\u{1faff}]*$/u;
const ALEFS = /[آأإ]/g;

/**
 * Normalizes a text for comparison, both posts and search input. In Arabic, letters are often written without their marks.
 */
const spelling = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase().replaceAll('ё', 'е')
    : fold(text).replace(ALEFS, 'ا').replaceAll('ى', 'ي').replaceAll('ة', 'ه');

const isMeant = ({ id, username }: Channel, names: readonly string[] | undefined): boolean =>
  names === undefined || names.includes(id) || (username !== undefined && names.includes(username));

const isWithin = (date: number, { from = 0, to = Number.POSITIVE_INFINITY }: SearchQuery): boolean => date >= from && date <= to;

const fits = (post: Post, { kinds }: SearchQuery): boolean =>
  post.service === undefined && (kinds === undefined || kinds.some((kind) => isOf(post, kind)));

const MEDIA: Partial<Record<Media['type'], PostKind>> = { animation: 'video', video_note: 'video' };

function isOf(post: Post, kind: PostKind): boolean {
  if (kind === 'poll') return post.poll !== undefined;
  if (kind === 'link') return post.entities.some(({ type }) => type === 'url' || type === 'text_link');
  return post.media.some(({ type }) => (MEDIA[type] ?? type) === kind);
}

/** Returns the most frequent hashtags of the newest stored posts, the most frequent first. */
export async function tagsKept(device: Device): Promise<readonly string[]> {
  const channels = (await channelsOf(device))?.value ?? [];
  const posts = await Promise.all(channels.map(async ({ id }) => (await device.posts(id, TAG_DEPTH)).value));
  const counts = new Map<string, number>();
  for (const { text, entities } of posts.flat()) {
    for (const { type, offset, length } of entities) {
      if (type !== 'hashtag') continue;
      const tag = text.slice(offset, offset + length).split('@', 1)[0] ?? '';
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, TAGS)
    .map(([tag]) => tag);
}
