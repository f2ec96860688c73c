/** Channel import: writes the messages of one channel of an export in idempotent batches. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredPicture } from '../../../contract/channel.ts';
import type { Message } from '../../domain/model.ts';
import type { Pinning } from '../../domain/pins.ts';
import { countField, isRawObject } from '../../lib/unknown-fields.ts';
import type { Store } from '../../storage/ports/store.ts';
import { createAlbumGrouper, type GroupedDraft } from './albums.ts';
import { type SaveMediaDeps, saveExportedMedia, saveExportedPicture } from './keep-media.ts';
import { createUndatedDraft, type MessageDraft, parseExportedMessage } from './parse-message.ts';
import type { ImportCounts } from './report.ts';

/** Number of messages per write. The pause between two writes lets another process write. */
const MESSAGES_PER_BATCH = 200;
const PAUSE_MS = 2;

/** Input and counters of the import of one channel. */
export interface ChannelImportDeps {
  readonly channelId: string;
  readonly store: Store;
  readonly keeping: SaveMediaDeps;
  readonly counts: ImportCounts;
  readonly reportSkipped: (what: string, reason: string) => void;
}

const toMessage = ({ draft, albumId }: GroupedDraft, media: Message['media']): Message => ({
  post: draft.post,
  media,
  source: 'export',
  seen: draft.seen,
  ...(albumId === undefined ? {} : { albumId }),
});

/** Creates an importer, which takes a channel's entries in the order of the file and writes them in idempotent batches. */
export const createChannelImporter = ({ channelId, store, keeping, counts, reportSkipped }: ChannelImportDeps) => {
  const albums = createAlbumGrouper();
  const waiting: { id: number; other: string }[] = [];
  let batch: Message[] = [];
  let service: Message[] = [];
  let [lastDate, index] = [0, 0];
  const ids = createIdTracker();
  const pins: Pinning[] = [];
  let picture: { file: string; at: number } | null = null;

  const write = async () => {
    const posts = await store.putMessages(batch);
    await store.putMessages(service);
    counts.inserted += posts.inserted;
    counts.updated += posts.updated;
    counts.unchanged += posts.unchanged;
    [batch, service] = [[], []];
    await pause(PAUSE_MS);
  };

  const put = async (grouped: readonly GroupedDraft[]) => {
    for (const one of grouped) {
      batch.push(toMessage(one, one.draft.file ? [await saveExportedMedia(one.draft.file, keeping)] : []));
      if (batch.length >= MESSAGES_PER_BATCH) await write();
    }
  };

  const post = async (draft: MessageDraft) => {
    counts.posts += 1;
    await put(albums.add(draft));
  };

  const dated = async (date: number) => {
    lastDate = date;
    for (const { id, other } of waiting.splice(0)) await post(createUndatedDraft(channelId, id, other, date));
  };

  const noteService = (draft: MessageDraft | null, file: string | null) => {
    counts.service += 1;
    if (!draft) return;
    service.push(toMessage({ draft }, []));
    const { service: told, date } = draft.post;
    if (told?.action === 'pinned' && told.messageId) pins.push({ messageId: told.messageId, at: date });
    if (file !== null && date >= (picture?.at ?? 0)) picture = { file, at: date };
  };

  const add = async (value: unknown) => {
    const reading = parseExportedMessage(value, channelId, index);
    index += 1;
    counts.messages += 1;
    ids.add(value, reading.type !== 'bad');
    if (reading.type === 'bad') {
      counts.skipped += 1;
      reportSkipped(reading.what, reading.reason);
    } else if (reading.type === 'undated') {
      if (lastDate > 0) await post(createUndatedDraft(channelId, reading.id, reading.other, lastDate));
      else waiting.push(reading);
    } else if (reading.type === 'service') {
      if (reading.draft) await dated(reading.draft.post.date);
      noteService(reading.draft, reading.picture);
    } else {
      await dated(reading.draft.post.date);
      await post(reading.draft);
      if (reading.note !== undefined) keeping.report(`message ${reading.draft.post.id}`, reading.note);
    }
  };

  const end = async (): Promise<StoredPicture | null> => {
    for (const { id } of waiting) {
      counts.skipped += 1;
      reportSkipped(`message ${id}`, 'nothing in the export tells when it was posted');
    }
    await put(albums.end());
    await write();
    // Between its first and its last message, an export contains all messages that still exist.
    for (const [from, to] of ids.ranges()) await store.markRangeKnown(channelId, from, to);
    if (pins.length > 0) await store.addPins(channelId, pins);
    return picture ? saveExportedPicture(picture.file, keeping) : null;
  };

  return { add, end };
};

/**
 * Collects the message ids of an export. From the first to the last, the export contains all messages that still exist, except
 * the entries that could not be parsed.
 */
export const createIdTracker = () => {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  const unread = new Set<number>();
  return {
    add(value: unknown, isRead: boolean): void {
      const id = isRawObject(value) ? countField(value, 'id') : undefined;
      if (!id) return;
      [first, last] = [Math.min(first, id), Math.max(last, id)];
      if (!isRead) unread.add(id);
    },
    /** Returns ranges of ids, both ends included. */
    ranges(): [from: number, to: number][] {
      const cuts = [first - 1, ...[...unread].sort((one, other) => one - other), last + 1];
      return cuts.slice(1).flatMap((cut, at): [number, number][] => {
        const from = (cuts[at] ?? 0) + 1;
        return from <= cut - 1 ? [[from, cut - 1]] : [];
      });
    },
  };
};
