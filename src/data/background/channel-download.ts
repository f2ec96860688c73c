// Download of one saved channel: its posts from the newest to the first, with pictures. The progress is stored after
// each page.

import type { PagedPosts } from '../../../contract/api.ts';
import { ParseError } from '../../../contract/shape.ts';
import { isTransientFailure, toRequestFailure } from '../connection/connection.ts';
import type { DataContext } from '../context.ts';
import { isStorageFull } from '../offline/eviction.ts';
import { cachePostPictures, type PictureFetch } from '../offline/picture-cache.ts';
import { listCachedPictures, pictureKeyPrefix } from '../offline/picture-keys.ts';
import { readRecord, type SavedChannelRecord, storeOfChannel, writeRecord } from './saved-channel-record.ts';

/**
 * State of a save. `complete` means that all posts are stored. `stopped` means that the reader stopped it. `unreachable` means
 * that the network or the server failed; the save resumes later. `full` means that the device has no space, or may delete the
 * posts. `rejected` means that the server rejected a request, or sent an invalid response.
 */
export type SaveState = 'saving' | 'complete' | 'stopped' | 'unreachable' | 'full' | 'rejected';

export interface ChannelDownload {
  readonly context: DataContext;
  readonly channelId: string;
  /** Aborts the download. */
  readonly signal: AbortSignal;
  /** Called after each page and at the end. `share` is the progress from 0 to 1. */
  onProgress(record: SavedChannelRecord, state: SaveState, share?: number): void;
}

const PAGE_POSTS = 100;
/** Maximum number of posts whose pictures are downloaded in parallel. */
const MAX_CONCURRENT_POSTS = 4;

/**
 * Downloads a channel until all of its posts are stored, the device is full, or the signal aborts. Reports a failed request
 * through `onProgress` and does not reject.
 */
export async function downloadChannel(download: ChannelDownload): Promise<void> {
  const { context, channelId, signal, onProgress } = download;
  const { offline } = context;
  let record = await readRecord(offline, channelId);
  const report = (state: SaveState, share?: number): void => {
    if (!signal.aborted) onProgress(record, state, share);
  };
  try {
    if (record.newest > 0) record = await downloadNewerPosts(download, record);
    while (!record.whole) {
      if (await isStorageFull()) return report('full');
      const page = await fetchPage(download, record.before);
      const stored = await storePage(download, record, page);
      record = { ...stored, before: page.next ?? undefined, whole: page.next === null };
      await writeRecord(offline, channelId, record);
      report('saving', estimateProgress(download, page));
    }
    report((await offline.storage).persistent.get() ? 'complete' : 'full');
  } catch (thrown) {
    report(isRejection(thrown) ? 'rejected' : 'unreachable');
  }
}

/** Returns true if the same request would fail again. False if the network or the server failed, also for a picture. */
function isRejection(thrown: unknown): boolean {
  const failure = toRequestFailure(thrown);
  return thrown instanceof ParseError || (failure.status !== null && !isTransientFailure(failure));
}

async function fetchPage({ context, channelId, signal }: ChannelDownload, before: string | undefined): Promise<PagedPosts> {
  const { api, connection } = context;
  const page = await connection.request(
    (options) => api.posts(channelId, { limit: PAGE_POSTS, before }, options),
    before === undefined,
  );
  signal.throwIfAborted();
  return page;
}

/** Downloads the posts that are newer than the stored ones. */
async function downloadNewerPosts(download: ChannelDownload, previous: SavedChannelRecord): Promise<SavedChannelRecord> {
  let record = previous;
  let before: string | undefined;
  do {
    const page = await fetchPage(download, before);
    const items = page.items.filter(({ id }) => id > previous.newest);
    record = await storePage(download, record, { ...page, items });
    before = items.length < page.items.length ? undefined : (page.next ?? undefined);
  } while (before !== undefined);
  await writeRecord(download.context.offline, download.channelId, record);
  return record;
}

/** Stores a page of posts and their pictures. Returns the record with their sizes. */
async function storePage(
  { context: { offline }, channelId, signal }: ChannelDownload,
  record: SavedChannelRecord,
  page: PagedPosts,
): Promise<SavedChannelRecord> {
  await offline.writePosts(page);
  const store = await storeOfChannel(await offline.storage, channelId);
  const pictureFetch: PictureFetch = { signal, failedUrls: new Set() };
  let bytes = page.items.reduce((sum, post) => sum + JSON.stringify(post).length, 0);
  for (let start = 0; start < page.items.length; start += MAX_CONCURRENT_POSTS) {
    const sizes = page.items.slice(start, start + MAX_CONCURRENT_POSTS).map(async (post) => {
      const cached = await listCachedPictures(store, pictureKeyPrefix(channelId, post.id));
      const added = await cachePostPictures(store, post, cached, pictureFetch);
      return cached.reduce((sum, picture) => sum + picture.bytes, added);
    });
    bytes += (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }
  signal.throwIfAborted();
  const newest = page.items.reduce((max, { id }) => Math.max(max, id), record.newest);
  return { ...record, newest, posts: record.posts + page.items.length, bytes: record.bytes + bytes };
}

/** Returns the progress from 0 to 1, estimated from message ids. */
function estimateProgress({ context, channelId }: ChannelDownload, { items }: PagedPosts): number {
  const latest = context.channelIndex.get(channelId)?.latest?.id ?? 0;
  return latest === 0 ? 0 : Math.max(0, 1 - (items.at(-1)?.id ?? 0) / latest);
}
