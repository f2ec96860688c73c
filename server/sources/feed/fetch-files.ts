import type { Picture } from '../../../contract/channel.ts';
import { type Kept, keepFile } from '../../media/keep.ts';
import type { FeedFileState } from '../../store/feeds.ts';
import type { Store } from '../../store/store.ts';
import type { FeedFile } from './feed-draft.ts';
import { FetchRefused } from './fetch-refused.ts';
import { fileName, largest } from './item-message.ts';
import type { FetchPublic } from './safe-fetch.ts';

/** What fetching a feed's files needs. */
export interface FileFetching {
  readonly store: Pick<Store, 'feedFiles' | 'putFeedFile' | 'putMediaFile' | 'mediaFile'>;
  readonly dataDir: string;
  readonly fetchPublic: FetchPublic;
}

const TYPES: Readonly<Record<string, RegExp>> = {
  photo: /^(?:image\/|application\/octet-stream|binary\/)/,
  audio: /^(?:audio\/|video\/mp4|application\/(?:octet-stream|ogg)|binary\/)/,
  video: /^(?:video\/|application\/(?:octet-stream|mp4)|binary\/)/,
};

const MS = 60_000;
const MOST_TRIES = 3;

/** Smaller pictures are counters and ornaments. */
const SMALLEST = 48;

const lost = (tries: number): FeedFileState => ({ media: null, missing: 'lost', tries });

const keptAs = (file: FeedFile, { file: kept, src, kind }: Kept, tries: number): FeedFileState => {
  const { width, height, placeholder, size, mime } = kept;
  if (file.type === 'photo' && (kind !== 'image' || Math.min(width ?? 0, height ?? 0) < SMALLEST)) return lost(tries);
  const type = kind === file.type || kind === 'image' ? file.type : 'document';
  const sizes = { ...(width && { width }), ...(height && { height }), ...(placeholder && { placeholder }) };
  return { media: { type, src, size, mime, ...sizes }, missing: null, tries };
};

const fetchOne = async (
  file: FeedFile,
  tries: number,
  { store, dataDir, fetchPublic }: FileFetching,
  signal: AbortSignal,
): Promise<FeedFileState> => {
  const types = TYPES[file.type];
  try {
    const limits = { bytes: largest(file), ms: MS };
    const { status, body } = await fetchPublic(file.url, { limits, signal, ...(types && { types }) });
    if (status >= 200 && status < 300) return keptAs(file, await keepFile(body, { dataDir, store }), tries);
    return status === 404 || status === 410 || tries >= MOST_TRIES ? lost(tries) : { media: null, missing: null, tries };
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    if (error.reason === 'too-large') return { media: null, missing: 'too-large', tries };
    return tries >= MOST_TRIES || error.reason === 'private' ? lost(tries) : { media: null, missing: null, tries };
  }
};

/** Fetches a file, keeps it, and notes what became of it. */
export async function fetchFile(
  channelId: string,
  file: FeedFile,
  fetching: FileFetching,
  signal: AbortSignal,
): Promise<FeedFileState> {
  const name = fileName(file);
  const known = (await fetching.store.feedFiles(channelId, [name])).get(name);
  const state = await fetchOne(file, (known?.tries ?? 0) + 1, fetching, signal);
  await fetching.store.putFeedFile(channelId, name, state);
  return state;
}

/** Says what is known of files; one that was kept and is not any more, for want of room, says so. */
export async function knownFiles(
  channelId: string,
  files: readonly FeedFile[],
  { store }: FileFetching,
): Promise<ReadonlyMap<string, FeedFileState>> {
  const known = new Map(await store.feedFiles(channelId, files.map(fileName)));
  for (const [name, state] of known) {
    const src = state.media?.src;
    if (!state.media || !src || (await store.mediaFile(src.replace('/media/', ''))) !== null) continue;
    const { src: _src, ...rest } = state.media;
    known.set(name, { ...state, media: { ...rest, missing: 'dropped' } });
  }
  return known;
}

/** Fetches a channel's picture unless it is known; null where it cannot be had. */
export async function fetchPicture(
  channelId: string,
  url: string,
  fetching: FileFetching,
  signal: AbortSignal,
): Promise<Picture | null> {
  const file: FeedFile = { url, type: 'photo' };
  const known = (await knownFiles(channelId, [file], fetching)).get(fileName(file));
  const isKnown = known?.media?.src !== undefined || known?.missing === 'lost' || known?.missing === 'too-large';
  const state = known && isKnown ? known : await fetchFile(channelId, file, fetching, signal);
  const { src, width, height, placeholder } = state.media ?? {};
  return src && width && height ? { src, width, height, ...(placeholder && { placeholder }) } : null;
}
