/** Channel import: writes the messages of one channel of an export in idempotent batches. */
import { setTimeout as sleep } from 'node:timers/promises';
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
  readonly mediaDeps: SaveMediaDeps;
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
export const createChannelImporter = ({ channelId, store, mediaDeps, counts, reportSkipped }: ChannelImportDeps) => {
  const albums = createAlbumGrouper();
  const undated: { id: number; other: string }[] = [];
  let batch: Message[] = [];
  let serviceMessages: Message[] = [];
  let [lastDate, index] = [0, 0];
  const ids = createIdTracker();
  const pins: Pinning[] = [];
  let picture: { file: string; at: number } | null = null;

  const write = async () => {
    const posts = await store.putMessages(batch);
    await store.putMessages(serviceMessages);
    counts.inserted += posts.inserted;
    counts.updated += posts.updated;
    counts.unchanged += posts.unchanged;
    [batch, serviceMessages] = [[], []];
    await sleep(PAUSE_MS);
  };

  const addGrouped = async (grouped: readonly GroupedDraft[]) => {
    for (const groupedDraft of grouped) {
      batch.push(
        toMessage(groupedDraft, groupedDraft.draft.file ? [await saveExportedMedia(groupedDraft.draft.file, mediaDeps)] : []),
      );
      if (batch.length >= MESSAGES_PER_BATCH) await write();
    }
  };

  const addPost = async (draft: MessageDraft) => {
    counts.posts += 1;
    await addGrouped(albums.add(draft));
  };

  const addUndatedBefore = async (date: number) => {
    lastDate = date;
    for (const { id, other } of undated.splice(0)) await addPost(createUndatedDraft(channelId, id, other, date));
  };

  const addService = (draft: MessageDraft | null, file: string | null) => {
    counts.service += 1;
    if (!draft) return;
    serviceMessages.push(toMessage({ draft }, []));
    const { service: event, date } = draft.post;
    if (event?.action === 'pinned' && event.messageId) pins.push({ messageId: event.messageId, at: date });
    if (file !== null && date >= (picture?.at ?? 0)) picture = { file, at: date };
  };

  const addEntry = async (entry: unknown) => {
    const parsed = parseExportedMessage(entry, channelId, index);
    index += 1;
    counts.messages += 1;
    ids.add(entry, parsed.type !== 'bad');
    if (parsed.type === 'bad') {
      counts.skipped += 1;
      reportSkipped(parsed.what, parsed.reason);
    } else if (parsed.type === 'undated') {
      if (lastDate > 0) await addPost(createUndatedDraft(channelId, parsed.id, parsed.other, lastDate));
      else undated.push(parsed);
    } else if (parsed.type === 'service') {
      if (parsed.draft) await addUndatedBefore(parsed.draft.post.date);
      addService(parsed.draft, parsed.picture);
    } else {
      await addUndatedBefore(parsed.draft.post.date);
      await addPost(parsed.draft);
      if (parsed.note !== undefined) mediaDeps.report(`message ${parsed.draft.post.id}`, parsed.note);
    }
  };

  const end = async (): Promise<StoredPicture | null> => {
    for (const { id } of undated) {
      counts.skipped += 1;
      reportSkipped(`message ${id}`, 'nothing in the export tells when it was posted');
    }
    await addGrouped(albums.end());
    await write();
    // Between its first and its last message, an export contains all messages that still exist.
    for (const [from, to] of ids.ranges()) await store.markRangeKnown(channelId, from, to);
    if (pins.length > 0) await store.addPins(channelId, pins);
    return picture ? saveExportedPicture(picture.file, mediaDeps) : null;
  };

  return { add: addEntry, end };
};

/**
 * Collects the message ids of an export. From the first to the last, the export contains all messages that still exist, except
 * the entries that could not be parsed.
 */
export const createIdTracker = () => {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  const unparsed = new Set<number>();
  return {
    add(entry: unknown, isParsed: boolean): void {
      const id = isRawObject(entry) ? countField(entry, 'id') : undefined;
      if (!id) return;
      [first, last] = [Math.min(first, id), Math.max(last, id)];
      if (!isParsed) unparsed.add(id);
    },
    /** Returns ranges of ids, both ends included. */
    ranges(): [from: number, to: number][] {
      const boundaries = [first - 1, ...[...unparsed].sort((first, second) => first - second), last + 1];
      return boundaries.slice(1).flatMap((boundary, index): [number, number][] => {
        const from = (boundaries[index] ?? 0) + 1;
        return from <= boundary - 1 ? [[from, boundary - 1]] : [];
      });
    },
  };
};
