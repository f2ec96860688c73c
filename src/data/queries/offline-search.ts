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

/** Found posts of a page. */
const PAGE = 100;
/** Hashtags that are offered, and the posts of each channel they are counted in. */
const TAGS = 8;
const TAG_DEPTH = 40;
/** How long what is kept is remembered after a search, ms. */
const REMEMBERED = 60_000;
/** Posts that are read and folded at once: some milliseconds, so that keys are heard between. */
const SLICE = 200;

/** A kept post, read no further than search needs. */
interface Findable {
  readonly channelId: string;
  readonly date: number;
  /** As it is compared. */
  readonly text: string;
  readonly raw: unknown;
}

/**
 * Finds the kept posts that hold each word as it was typed, newest first: no stems, and nothing that was never read here. It is
 * of when the server told the channels; the device may have heard of single posts since.
 */
export async function searchKept(device: Device, query: SearchQuery): Promise<Held<HeldPage>> {
  const told = await channelsOf(device);
  const channels = told?.value ?? [];
  const { items, isEnd } = await find(device, channels, query, null);
  return { value: { items, channels, next: isEnd ? null : undefined, previous: null }, at: told?.at ?? Date.now() };
}

/** Finds the next ones below a post. */
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

/** Begins to read what is kept, for a search that is about to come. */
export async function prepareKept(device: Device): Promise<void> {
  await remembered(device, (await channelsOf(device))?.value ?? []);
}

interface Memory {
  readonly posts: Promise<readonly Findable[]>;
  forgetting?: ReturnType<typeof setTimeout>;
}

const memories = new WeakMap<Device, Memory>();

/** All posts that are kept, the newest first: read once, then in memory for as long as somebody searches. */
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
  // The reader's own go over the common ones.
  for (const shelf of [common, reader]) await Promise.all(channels.map(({ id }) => readChannel(shelf, id, found)));
  // The database may open later; nothing is soon read again.
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

/** Folding leaves these as they are but for case and ё; of Russian, decomposing each й would take most of a search's time. */
const PLAIN = /^[\x20-\x7e\s\u0400-\u045f«»–—‘’“”„\u{1f300}-\u{1faff}]*$/u;
const ALEFS = /[آأإ]/g;

/** A text as it is compared: that of posts, and of what is typed. Arabic is often written without what its letters carry. */
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

/** Gives the hashtags that the newest kept posts have most, the most frequent first. */
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
