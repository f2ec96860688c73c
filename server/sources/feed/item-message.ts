import type { FeedFileState, NumberedItem } from '../../store/feeds.ts';
import type { KeptMedia, Message } from '../../store/store.ts';
import { type ComposedItem, digest } from './compose-item.ts';
import type { FeedFile } from './feed-draft.ts';

/** The largest files that are fetched, in bytes; larger ones stay where they are, and the post leads there. */
const LARGEST_PHOTO = 5 * 1024 * 1024;
const LARGEST_FILE = 20 * 1024 * 1024;

export const largest = ({ type }: FeedFile): number => (type === 'photo' ? LARGEST_PHOTO : LARGEST_FILE);

/** A file's name among what is known of files. */
export const fileName = ({ url }: FeedFile): string => digest(url);

type Files = ReadonlyMap<string, FeedFileState>;

/** Whether a file is still to be fetched. */
export const isWanted = (file: FeedFile, files: Files): boolean => {
  const known = files.get(fileName(file));
  return (file.size ?? 0) <= largest(file) && (known === undefined || (known.media === null && known.missing === null));
};

const missingOf = (file: FeedFile, files: Files, isFresh: boolean): KeptMedia['missing'] => {
  const known = files.get(fileName(file));
  if (known?.missing) return known.missing;
  if ((file.size ?? 0) > largest(file)) return 'too-large';
  return isFresh ? 'pending' : undefined;
};

const nameOf = (url: string): string | undefined => {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[\w.-]{1,100}\.\w{2,5}$/.test(last) ? last : undefined;
};

/** A picture that cannot be had is left out, as is what nobody is going to fetch; other files are named with why they are not here. */
const mediaOf = (file: FeedFile, messageId: number, files: Files, isFresh: boolean): KeptMedia[] => {
  const { type, mime, size, duration } = file;
  const told = { type, messageId, unique: fileName(file), ...(duration && { duration }) };
  const kept = files.get(fileName(file))?.media;
  if (kept) return [{ ...told, ...kept }];
  const missing = missingOf(file, files, isFresh);
  if (missing === undefined || (type === 'photo' && missing !== 'pending')) return [];
  const name = nameOf(file.url);
  return [{ ...told, missing, ...(mime && { mime }), ...(size && { size }), ...(name && { name }) }];
};

/** Makes the message of an item; `isFresh` says that its files are fetched where they are not known yet. */
export function messageOf(channelId: string, item: ComposedItem, place: NumberedItem, files: Files, isFresh: boolean): Message {
  const { text, entities, link, author } = item;
  return {
    post: {
      channelId,
      id: place.id,
      date: place.date,
      ...(place.edited !== null && { edited: place.edited }),
      text,
      entities: [...entities],
      reactions: [],
      ...(author !== null && { author }),
      ...(link !== null && { link }),
    },
    media: item.files.flatMap((file, at) => mediaOf(file, place.id + at, files, isFresh)),
    source: 'feed',
    seen: place.seen,
  };
}
