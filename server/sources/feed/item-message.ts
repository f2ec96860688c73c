import type { FileRef, KeptMedia, Message } from '../../domain/model.ts';
import type { NumberedItem } from '../../storage/ports/feeds.ts';
import { LARGEST_FILE } from '../rss/file-source.ts';
import type { FeedFile } from '../rss/types.ts';
import { type ComposedItem, digest } from './compose-item.ts';

/** A file as the queue of wanted files knows it; its id is where it lies. */
export const fileRef = ({ url, size }: Pick<FeedFile, 'url' | 'size'>): Pick<FileRef, 'uniqueId' | 'fileId' | 'size'> => ({
  uniqueId: `feed-${digest(url)}`,
  fileId: url,
  ...(size !== undefined && { size }),
});

const nameOf = (url: string): string | undefined => {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[\w.-]{1,100}\.\w{2,5}$/.test(last) ? last : undefined;
};

const isTooLarge = ({ size = 0 }: FeedFile) => size > LARGEST_FILE;

const mediaOf = (file: FeedFile, messageId: number): KeptMedia => {
  const { type, mime, size, duration } = file;
  const name = type === 'document' ? nameOf(file.url) : undefined;
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

/** Makes the message of an item. Files of items that were old when the feed was added stay where they are. */
export function messageOf(channelId: string, item: ComposedItem, place: NumberedItem): Message {
  const { text, entities, link, author } = item;
  const files = place.fresh ? item.files : [];
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
    media: files.map((file, at) => mediaOf(file, place.id + at)),
    files: files.flatMap((file, index) => (isTooLarge(file) ? [] : [{ index, part: 'file' as const, ...fileRef(file) }])),
    source: 'feed',
    seen: place.seen,
  };
}
