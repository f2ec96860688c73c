import type { PostKind } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { fold } from '../../contract/fold.ts';
import * as parse from '../../contract/parse.ts';
import type { Media, Post } from '../../contract/post.ts';
import { list, number, shape, string } from '../../contract/shape.ts';
import { type Device, fit, held } from './device.ts';
import type { HeldPage } from './post-list.ts';
import type { SearchQuery } from './search.ts';

/** Found posts that are shown. */
const MOST = 100;
/** Hashtags that are offered, and the posts of each channel they are counted in. */
const TAGS = 8;
const TAG_DEPTH = 40;
/** How long what is kept is remembered while somebody types, ms. */
const REMEMBERED = 60_000;

/** A kept post, read no further than search needs. */
interface Findable {
  readonly channelId: string;
  readonly date: number;
  /** As it is compared. */
  readonly text: string;
  readonly raw: unknown;
}

/** Finds the kept posts that hold each word as it was typed, newest first: no stems, and nothing that was never read here. */
export async function searchKept(device: Device, query: SearchQuery): Promise<HeldPage> {
  const channels = (await device.answer('channels', list(parse.channel)))?.value ?? [];
  const meant = new Set(channels.flatMap((channel) => (isMeant(channel, query.channelIds) ? channel.id : [])));
  const words = (query.q ?? '').split(/\s+/).map(spelling).filter(Boolean);
  const items: Post[] = [];
  for (const { channelId, date, text, raw } of await remembered(device)) {
    if (!meant.has(channelId) || !isWithin(date, query) || !words.every((word) => text.includes(word))) continue;
    const post = fit(heldPost, raw)?.value;
    if (post !== undefined && fits(post, query)) items.push(post);
    if (items.length === MOST) break;
  }
  return { items, channels, next: null, previous: null };
}

const heldPost = held(parse.post);
const findable = shape<{ value: Pick<Post, 'channelId' | 'id' | 'date' | 'text'> }>({
  value: shape<Pick<Post, 'channelId' | 'id' | 'date' | 'text'>>({ channelId: string, id: number, date: number, text: string }),
});

const memories = new WeakMap<Device, Promise<readonly Findable[]>>();

/** All posts that are kept, the newest first: read once, then in memory for as long as it takes to type. */
function remembered(device: Device): Promise<readonly Findable[]> {
  const known = memories.get(device);
  if (known !== undefined) return known;
  const reading = readAll(device);
  memories.set(device, reading);
  setTimeout(() => memories.delete(device), REMEMBERED);
  return reading;
}

async function readAll(device: Device): Promise<readonly Findable[]> {
  const { reader, public: common } = await device.kept;
  // The reader's own go over the common ones.
  const found = new Map((await Promise.all([common, reader].map((shelf) => shelf.list('post/')))).flat());
  return [...found.values()]
    .flatMap((raw) => {
      const post = fit(findable, raw)?.value;
      return post === undefined ? [] : { channelId: post.channelId, date: post.date, text: spelling(post.text), raw };
    })
    .sort((one, other) => other.date - one.date);
}

const PLAIN = /^[\x20-\x7e\s]*$/;
const ALEFS = /[آأإ]/g;

/** A text as it is compared: that of posts, and of what is typed. Arabic is often written without what its letters carry. */
const spelling = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : fold(text).replace(ALEFS, 'ا').replaceAll('ى', 'ي').replaceAll('ة', 'ه');

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
  const channels = (await device.answer('channels', list(parse.channel)))?.value ?? [];
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
