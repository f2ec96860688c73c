import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Entity } from '../../../contract/post.ts';
import type { ReadItem } from '../../store/feeds.ts';
import { composeText, lineOf } from './compose-text.ts';
import type { FeedFile, FeedItem } from './feed-draft.ts';

/** An item with its text made and its files chosen, and what it is known by. */
export interface ComposedItem extends Omit<ReadItem, 'fresh'> {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly link: string | null;
  readonly author: string | null;
  readonly files: readonly FeedFile[];
}

/** Files of one post; message ids are ten apart, and each file has one. */
const MOST_FILES = 9;
const MOST_PHOTOS = 4;

/** Milliseconds after which everybody else has a turn. */
const TURN = 10;

/** A short name for any text. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** One picture is often there twice, in other sizes: as WordPress names them, or by a query. */
const pictureName = (url: string): string => new URL(url).pathname.replace(/-\d{2,5}x\d{2,5}(?=\.\w+$)/, '');

const unique = <T>(items: readonly T[], nameOf: (item: T) => string): T[] =>
  [...new Map(items.toReversed().map((item) => [nameOf(item), item])).values()].reverse();

const chooseFiles = (item: FeedItem, images: readonly string[]): FeedFile[] => {
  const inText = images.map((url) => ({ url, type: 'photo' as const }));
  const photos = [...item.files.filter(({ type }) => type === 'photo'), ...inText];
  const others = item.files.filter(({ type }) => type !== 'photo');
  return [
    ...unique(photos, ({ url }) => pictureName(url) + (pictureName(url) === '/' ? url : '')).slice(0, MOST_PHOTOS),
    ...unique(others, ({ url }) => url),
  ].slice(0, MOST_FILES);
};

/** What an item is known by for good: its guid, unless others claim the same, else its link, else what it says. */
const keyOf = (item: FeedItem, guids: ReadonlyMap<string | null, number>): string => {
  if (item.guid !== null && guids.get(item.guid) === 1) return digest(`guid ${item.guid}`);
  if (item.link !== null) return digest(`link ${item.link}`);
  return digest(`text ${JSON.stringify([item.title, item.content])}`);
};

const compose = (item: FeedItem, key: string, channelTitle: string): ComposedItem => {
  const { text, entities, images } = composeText(item);
  const author = item.author === null ? '' : lineOf({ html: item.author }, 100);
  const named = author === '' || author === channelTitle ? null : author;
  // Where files lie may change every day; that alone is no edit.
  const hash = digest(JSON.stringify([text, entities, item.link, named]));
  const { date, updated, link } = item;
  return { key, date, updated, hash, text, entities, link, author: named, files: chooseFiles(item, images) };
};

/** Feeds list the newest first; one whose dates rise lists the oldest first. What has no date, or one to come, comes last. */
const oldestFirst = (items: readonly FeedItem[], now: number): FeedItem[] => {
  const dates = items.flatMap(({ date }) => date ?? []);
  const rises = (dates[0] ?? 0) < (dates.at(-1) ?? 0);
  const ordered = rises ? [...items] : items.toReversed();
  const dateOf = ({ date }: FeedItem) => (date === null || date > now ? Number.MAX_SAFE_INTEGER : date);
  return ordered.sort((one, other) => dateOf(one) - dateOf(other));
};

/** Makes posts of items, oldest first as of `now` (unix seconds); the same item twice counts once, and one that says and shows nothing not at all. */
export async function composeItems(items: readonly FeedItem[], channelTitle: string, now: number): Promise<ComposedItem[]> {
  const guids = new Map<string | null, number>();
  for (const { guid } of items) guids.set(guid, (guids.get(guid) ?? 0) + 1);
  const composed: ComposedItem[] = [];
  let began = performance.now();
  for (const item of oldestFirst(items, now)) {
    composed.push(compose(item, keyOf(item, guids), channelTitle));
    if (performance.now() - began < TURN) continue;
    await breathe();
    began = performance.now();
  }
  return unique(composed, ({ key }) => key).filter(({ text, files }) => text !== '' || files.length > 0);
}
