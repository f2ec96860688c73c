import type { PostKind } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import * as parse from '../../contract/parse.ts';
import type { Media, Post } from '../../contract/post.ts';
import { list } from '../../contract/shape.ts';
import type { Device } from './device.ts';
import type { HeldPage } from './post-list.ts';
import type { SearchQuery } from './search.ts';

/** Posts looked through of each channel: all that are kept. */
const DEPTH = 500;
/** Found posts that are shown. */
const MOST = 100;
/** Hashtags that are offered, and the posts of each channel they are counted in. */
const TAGS = 8;
const TAG_DEPTH = 40;

/** Finds the kept posts that hold each word as it was typed, newest first: no stems, and nothing that was never read here. */
export async function searchKept(device: Device, query: SearchQuery): Promise<HeldPage> {
  const channels = (await device.answer('channels', list(parse.channel)))?.value ?? [];
  const meant = channels.filter((channel) => isMeant(channel, query.channelIds));
  const posts = await Promise.all(meant.map(async ({ id }) => (await device.posts(id, DEPTH)).value));
  const words = (query.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = posts
    .flat()
    .filter((post) => fits(post, words, query))
    .sort((a, b) => b.date - a.date);
  return { items: found.slice(0, MOST), channels, next: null, previous: null };
}

const isMeant = ({ id, username }: Channel, names: readonly string[] | undefined): boolean =>
  names === undefined || names.includes(id) || (username !== undefined && names.includes(username));

function fits(post: Post, words: readonly string[], { kinds, from = 0, to = Number.POSITIVE_INFINITY }: SearchQuery): boolean {
  if (post.date < from || post.date > to || post.service !== undefined) return false;
  const text = post.text.toLowerCase();
  return words.every((word) => text.includes(word)) && (kinds === undefined || kinds.some((kind) => isOf(post, kind)));
}

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
