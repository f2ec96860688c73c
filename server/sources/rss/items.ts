/** Feed items: converts the items of a feed to posts and stores them. */
import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Channel } from '../../../contract/channel.ts';
import type { Entity } from '../../../contract/post.ts';
import { omitDerivedFields } from '../../domain/channel-details.ts';
import { type ChannelChange, type FileRef, FULL_ACCESS, type Message, type StoredMedia } from '../../domain/model.ts';
import { warmTermCache } from '../../domain/tokenizer.ts';
import { mapInSlices } from '../../lib/event-loop.ts';
import type { NumberedItem, UnnumberedItem } from '../../storage/ports/feeds.ts';
import { MAX_FEED_FILE_BYTES } from './file-source.ts';
import { composeText, feedTextToLine } from './text/item-text.ts';
import type { FeedDeps, FeedDraft, FeedFile, FeedItem, ItemDraft, ParsedFeed } from './types.ts';

/** Number of the newest items whose files are fetched. This is decided once for each item, when it is first seen. */
const MAX_ITEMS_WITH_FILES = 40;

/**
 * Maximum number of items in one transaction, and of their characters (except if a single item has more). Other
 * requests wait during a transaction.
 */
const MAX_BATCH_ITEMS = 10;
const MAX_BATCH_CHARACTERS = 8192;

/** Returns a feed's title, or its host if it has none. */
export const feedTitle = (feed: FeedDraft, url: string): string => feed.title || new URL(url).hostname;

/**
 * Stores a feed's items in its channel: new items are inserted, changed ones are updated, and items that are no longer
 * listed stay. Returns true if there was news.
 */
export async function ingestItems(channelId: string, feed: FeedDraft, title: string, deps: FeedDeps): Promise<boolean> {
  const now = Math.floor(deps.now() / 1000);
  const composed = await composeItems(feed.items, title, now);
  const numberable = composed.map((item, index) => ({
    ...item,
    shouldFetchFiles: index >= composed.length - MAX_ITEMS_WITH_FILES,
  }));
  let hasNews = false;
  for (const items of batchesOf(numberable)) {
    const numberedItems = await deps.store.numberItems(channelId, items, now);
    for (const [index, { text }] of items.entries()) if (numberedItems[index]?.isChanged) await warmTermCache(text);
    const messages = items.flatMap((item, index) => {
      const numbered = numberedItems[index];
      return numbered ? [messageOf(channelId, item, numbered)] : [];
    });
    const { inserted, updated } = await deps.store.putMessages(messages);
    hasNews ||= inserted + updated > 0;
    await yieldToEventLoop();
  }
  return hasNews;
}

/** Splits items into batches; each batch is one transaction. */
function batchesOf<Item extends { readonly text: string }>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let characters = 0;
  for (const item of items) {
    const batch = batches.at(-1);
    characters += item.text.length;
    if (batch !== undefined && batch.length < MAX_BATCH_ITEMS && characters <= MAX_BATCH_CHARACTERS) batch.push(item);
    else {
      batches.push([item]);
      characters = item.text.length;
    }
  }
  return batches;
}

/** Updates a channel's title, description and picture from its feed, and marks the channel as live. */
export async function updateFeedDetails(id: string, feed: FeedDraft, title: string, deps: FeedDeps): Promise<void> {
  const about = feed.about || null;
  await changeFeedChannel(id, () => ({ title, about, since: null, state: 'live' }), deps);
  if (feed.picture !== null) await deps.store.queueChannelPicture(id, fileRef({ url: feed.picture }));
}

type FeedChannelChange = Partial<Pick<ChannelChange, 'title' | 'about' | 'picture' | 'state' | 'since'>>;

/**
 * Updates a feed's channel based on its current state. Does nothing if the channel was deleted, or if it is archived by
 * now.
 */
export async function changeFeedChannel(
  id: string,
  getChange: (existing: Channel) => FeedChannelChange,
  { store }: FeedDeps,
): Promise<void> {
  const existing = await store.channel(id, FULL_ACCESS);
  if (existing === null || existing.state === 'archived') return;
  await store.putChannel({ ...omitDerivedFields(existing), ...getChange(existing) });
}

/** An item with its text, its selected files and its key. */
export interface ComposedItem extends Omit<UnnumberedItem, 'shouldFetchFiles'> {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly link: string | null;
  readonly author: string | null;
  readonly files: readonly FeedFile[];
}

/** Maximum number of files of one post. Message ids are ten apart, and each file has one. */
const MAX_FILES = 9;
const MAX_PHOTOS = 4;

const MAX_TITLE_LENGTH = 200;
const MAX_ABOUT_LENGTH = 500;
const MAX_AUTHOR_LENGTH = 100;

/** Returns a short hash of a text. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * Returns a picture's path without its size suffix. The same picture often occurs twice in different sizes, with a
 * suffix as WordPress writes it, or with a query.
 */
const pictureName = (url: string): string => new URL(url).pathname.replace(/-\d{2,5}x\d{2,5}(?=\.\w+$)/, '');

/** Removes duplicates: the first item of each key remains, at its own position. */
const uniqueBy = <T>(items: readonly T[], getKey: (item: T) => string): T[] => {
  const firstByKey = new Map<string, T>();
  for (const item of items) {
    const key = getKey(item);
    if (!firstByKey.has(key)) firstByKey.set(key, item);
  }
  return [...firstByKey.values()];
};

const chooseFiles = (item: FeedItem, images: readonly string[]): FeedFile[] => {
  const photosInText = images.map((url) => ({ url, type: 'photo' as const }));
  const photos = [...item.files.filter(({ type }) => type === 'photo'), ...photosInText];
  const otherFiles = item.files.filter(({ type }) => type !== 'photo');
  return [
    ...uniqueBy(photos, ({ url }) => pictureName(url) + (pictureName(url) === '/' ? url : '')).slice(0, MAX_PHOTOS),
    ...uniqueBy(otherFiles, ({ url }) => url),
  ].slice(0, MAX_FILES);
};

const draftOf = (item: FeedItem): ItemDraft => {
  const { guid, link, date, updated } = item;
  const { text, entities, images } = composeText(item);
  const textKey = link === null ? digest(`text ${JSON.stringify([item.title, item.content])}`) : null;
  const author = item.author === null ? '' : feedTextToLine({ html: item.author }, MAX_AUTHOR_LENGTH);
  return { guid, link, textKey, date, updated, text, entities, author, files: chooseFiles(item, images) };
};

/** Converts a feed's items to text. Hostile markup makes this slow: see parseInSandbox. */
export const composeFeed = ({ title, about, picture, everySeconds, items }: ParsedFeed): FeedDraft => ({
  title: feedTextToLine(title, MAX_TITLE_LENGTH),
  about: feedTextToLine(about, MAX_ABOUT_LENGTH),
  ...{ picture, everySeconds },
  items: items.map(draftOf),
});

/**
 * Returns the permanent key of an item: its guid, unless several items have the same; otherwise its link; otherwise a
 * hash of its text.
 */
const keyOf = ({ guid, link, textKey }: ItemDraft, guidCounts: ReadonlyMap<string | null, number>): string => {
  if (guid !== null && guidCounts.get(guid) === 1) return digest(`guid ${guid}`);
  return textKey ?? digest(`link ${link}`);
};

const composeItem = (item: ItemDraft, key: string, channelTitle: string): ComposedItem => {
  const { date, updated, text, entities, link, files } = item;
  const author = item.author === '' || item.author === channelTitle ? null : item.author;
  // The URLs of files may change every day; that alone is no edit.
  const hash = digest(JSON.stringify([text, entities, link, author]));
  return { key, date, updated, hash, text, entities, link, author, files };
};

/**
 * Sorts items oldest first. Most feeds list the newest item first; a feed whose dates rise lists the oldest first.
 * Items without a date, or with a date in the future, come last.
 */
const oldestFirst = (items: readonly ItemDraft[], now: number): ItemDraft[] => {
  const dates = items.flatMap(({ date }) => date ?? []);
  const isOldestFirst = (dates[0] ?? 0) < (dates.at(-1) ?? 0);
  const ordered = isOldestFirst ? [...items] : items.toReversed();
  const dateOf = ({ date }: ItemDraft) => (date === null || date > now ? Number.MAX_SAFE_INTEGER : date);
  return ordered.sort((a, b) => dateOf(a) - dateOf(b));
};

/**
 * Converts items to posts, oldest first; `now` is unix seconds. Of the duplicates of an item, the oldest one is used.
 * Items without text and files are omitted.
 */
export async function composeItems(items: readonly ItemDraft[], channelTitle: string, now: number): Promise<ComposedItem[]> {
  const guidCounts = new Map<string | null, number>();
  for (const { guid } of items) guidCounts.set(guid, (guidCounts.get(guid) ?? 0) + 1);
  const composed = await mapInSlices(oldestFirst(items, now), (item) => composeItem(item, keyOf(item, guidCounts), channelTitle));
  return uniqueBy(composed, ({ key }) => key).filter(({ text, files }) => text !== '' || files.length > 0);
}

/** Returns a file in the format of the download queue; its id is its URL. */
const fileRef = ({ url, size }: Pick<FeedFile, 'url' | 'size'>): Pick<FileRef, 'uniqueId' | 'fileId' | 'size'> => ({
  uniqueId: `feed-${digest(url)}`,
  fileId: url,
  ...(size !== undefined && { size }),
});

const fileNameOf = (url: string): string | undefined => {
  const fileName = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[\w.-]{1,100}\.\w{2,5}$/.test(fileName) ? fileName : undefined;
};

const isTooLarge = ({ size = 0 }: FeedFile) => size > MAX_FEED_FILE_BYTES;

const mediaOf = (file: FeedFile, messageId: number): StoredMedia => {
  const { type, mime, size, duration } = file;
  const name = type === 'document' ? fileNameOf(file.url) : undefined;
  return {
    type,
    messageId,
    unique: fileRef(file).uniqueId,
    missing: isTooLarge(file) ? 'too-large' : 'pending',
    ...(mime && { mime }),
    ...(size && { size }),
    ...(duration && { duration }),
    ...(name && { name }),
  };
};

/** Creates the message of an item. Files of items that were already old when the feed was added are not fetched. */
export function messageOf(channelId: string, item: ComposedItem, numbered: NumberedItem): Message {
  const { text, entities, link, author } = item;
  const files = numbered.shouldFetchFiles ? item.files : [];
  return {
    post: {
      channelId,
      id: numbered.id,
      date: numbered.date,
      ...(numbered.edited !== null && { edited: numbered.edited }),
      text,
      entities: [...entities],
      reactions: [],
      ...(author !== null && { author }),
      ...(link !== null && { link }),
    },
    media: files.map((file, index) => mediaOf(file, numbered.id + index)),
    files: files.flatMap((file, index) => (isTooLarge(file) ? [] : [{ index, part: 'file' as const, ...fileRef(file) }])),
    source: 'feed',
    modifiedAt: numbered.modifiedAt,
  };
}
