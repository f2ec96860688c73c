import { createHash } from 'node:crypto';
import type { Entity } from '../../../contract/post.ts';
import { mapInSlices } from '../../lib/event-loop.ts';
import type { ReadItem } from '../../storage/ports/feeds.ts';
import { composeText, lineOf } from '../rss/text/item-text.ts';
import type { FeedFile, FeedItem, ReadFeed } from '../rss/types.ts';

/** An item whose text is made and whose files are chosen, of JSON's types alone. */
export interface ItemDraft {
  readonly guid: string | null;
  readonly link: string | null;
  /** Identifies an item without a link by its texts; null for one with a link. */
  readonly textKey: string | null;
  readonly date: number | null;
  readonly updated: number | null;
  readonly text: string;
  readonly entities: readonly Entity[];
  /** A single line, empty where there is no author. */
  readonly author: string;
  readonly files: readonly FeedFile[];
}

/** A feed whose texts are made; `title` and `about` are one line, '' for none. */
export interface FeedDraft extends Pick<ReadFeed, 'picture' | 'everySeconds'> {
  readonly title: string;
  readonly about: string;
  readonly items: readonly ItemDraft[];
}

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

const LONGEST_TITLE = 200;
const LONGEST_ABOUT = 500;
const LONGEST_AUTHOR = 100;

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

const draftOf = (item: FeedItem): ItemDraft => {
  const { guid, link, date, updated } = item;
  const { text, entities, images } = composeText(item);
  const textKey = link === null ? digest(`text ${JSON.stringify([item.title, item.content])}`) : null;
  const author = item.author === null ? '' : lineOf({ html: item.author }, LONGEST_AUTHOR);
  return { guid, link, textKey, date, updated, text, entities, author, files: chooseFiles(item, images) };
};

/** Composes the texts of a feed. Hostile markup takes long here: see readFeedApart. */
export const composeFeed = ({ title, about, picture, everySeconds, items }: ReadFeed): FeedDraft => ({
  title: lineOf(title, LONGEST_TITLE),
  about: lineOf(about, LONGEST_ABOUT),
  ...{ picture, everySeconds },
  items: items.map(draftOf),
});

/** What an item is known by for good: its guid, unless others claim the same, else its link, else what it says. */
const keyOf = ({ guid, link, textKey }: ItemDraft, guids: ReadonlyMap<string | null, number>): string => {
  if (guid !== null && guids.get(guid) === 1) return digest(`guid ${guid}`);
  return textKey ?? digest(`link ${link}`);
};

const compose = (item: ItemDraft, key: string, channelTitle: string): ComposedItem => {
  const { date, updated, text, entities, link, files } = item;
  const author = item.author === '' || item.author === channelTitle ? null : item.author;
  // Where files lie may change every day; that alone is no edit.
  const hash = digest(JSON.stringify([text, entities, link, author]));
  return { key, date, updated, hash, text, entities, link, author, files };
};

/** Feeds list the newest first; one whose dates rise lists the oldest first. What has no date, or one to come, comes last. */
const oldestFirst = (items: readonly ItemDraft[], now: number): ItemDraft[] => {
  const dates = items.flatMap(({ date }) => date ?? []);
  const rises = (dates[0] ?? 0) < (dates.at(-1) ?? 0);
  const ordered = rises ? [...items] : items.toReversed();
  const dateOf = ({ date }: ItemDraft) => (date === null || date > now ? Number.MAX_SAFE_INTEGER : date);
  return ordered.sort((one, other) => dateOf(one) - dateOf(other));
};

/** Makes posts of items, oldest first as of `now` (unix seconds); the same item twice counts once, and one that says and shows nothing not at all. */
export async function composeItems(items: readonly ItemDraft[], channelTitle: string, now: number): Promise<ComposedItem[]> {
  const guids = new Map<string | null, number>();
  for (const { guid } of items) guids.set(guid, (guids.get(guid) ?? 0) + 1);
  const composed = await mapInSlices(oldestFirst(items, now), (item) => compose(item, keyOf(item, guids), channelTitle));
  return unique(composed, ({ key }) => key).filter(({ text, files }) => text !== '' || files.length > 0);
}
