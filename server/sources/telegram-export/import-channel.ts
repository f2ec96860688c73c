/** Channel import: writes the messages of one channel of an export in idempotent batches. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredPicture } from '../../../contract/channel.ts';
import type { Message } from '../../domain/model.ts';
import type { Pinning } from '../../domain/pins.ts';
import { countField, isRawObject } from '../../lib/unknown-fields.ts';
import type { Store } from '../../storage/ports/store.ts';
import { createAlbumGrouper, type GroupedDraft } from './albums.ts';
import { createUndatedDraft, type MessageDraft, parseExportedMessage } from './parse-message.ts';
import type { ImportCounts } from './report.ts';
import { type SaveMediaDeps, saveExportedMedia, saveExportedPicture } from './save-media.ts';

/** Number of messages per write. The pause after each write lets another process write. */
const MESSAGES_PER_BATCH = 200;
const PAUSE_MS = 2;

/** Input and counters of the import of one channel. */
export interface ChannelImportDeps {
  readonly channelId: string;
  readonly store: Store;
  readonly mediaDeps: SaveMediaDeps;
  readonly counts: ImportCounts;
  readonly reportSkipped: (subject: string, reason: string) => void;
}

const toMessage = ({ draft, albumId }: GroupedDraft, media: Message['media']): Message => ({
  post: draft.post,
  media,
  source: 'export',
  modifiedAt: draft.modifiedAt,
  ...(albumId === undefined ? {} : { albumId }),
});

/** Message writer: writes posts and service messages in batches, and counts them. */
const createBatchWriter = ({ store, mediaDeps, counts }: ChannelImportDeps) => {
  let posts: Message[] = [];
  let serviceMessages: Message[] = [];

  const write = async (): Promise<void> => {
    const written = await store.putMessages(posts);
    await store.putMessages(serviceMessages);
    counts.inserted += written.inserted;
    counts.updated += written.updated;
    counts.unchanged += written.unchanged;
    [posts, serviceMessages] = [[], []];
    await sleep(PAUSE_MS);
  };

  return {
    /** Adds posts whose albums are known. Stores their files, and writes each full batch. */
    async addPosts(grouped: readonly GroupedDraft[]): Promise<void> {
      for (const post of grouped) {
        posts.push(toMessage(post, post.draft.file ? [await saveExportedMedia(post.draft.file, mediaDeps)] : []));
        if (posts.length >= MESSAGES_PER_BATCH) await write();
      }
    },
    addService(draft: MessageDraft): void {
      serviceMessages.push(toMessage({ draft }, []));
    },
    write,
  };
};

/** Service events: collects the pins of a channel, and its newest picture. */
const createServiceEvents = () => {
  const pins: Pinning[] = [];
  let newestPicture: { file: string; at: number } | null = null;
  return {
    pins,
    pictureFile: (): string | null => newestPicture?.file ?? null,
    add({ post: { service, date } }: MessageDraft, pictureFile: string | null): void {
      if (service?.action === 'pinned' && service.messageId) pins.push({ messageId: service.messageId, at: date });
      if (pictureFile !== null && date >= (newestPicture?.at ?? 0)) newestPicture = { file: pictureFile, at: date };
    },
  };
};

/**
 * Creates an importer of one channel. `add` takes an entry, in the order of the file. `end` writes the last batch and
 * returns the newest picture of the channel.
 */
export const createChannelImporter = (deps: ChannelImportDeps) => {
  const { channelId, store, mediaDeps, counts, reportSkipped } = deps;
  const albums = createAlbumGrouper();
  const writer = createBatchWriter(deps);
  const events = createServiceEvents();
  const ids = createIdTracker();
  const undated: { id: number; other: string }[] = [];
  let [lastDate, entryIndex] = [0, 0];

  const addPost = async (draft: MessageDraft): Promise<void> => {
    counts.posts += 1;
    await writer.addPosts(albums.add(draft));
  };

  /** Adds the entries without a date that wait for the date of a neighbour. */
  const addUndated = async (date: number): Promise<void> => {
    lastDate = date;
    for (const { id, other } of undated.splice(0)) await addPost(createUndatedDraft(channelId, id, other, date));
  };

  const addService = async (draft: MessageDraft | null, pictureFile: string | null): Promise<void> => {
    if (draft) await addUndated(draft.post.date);
    counts.service += 1;
    if (!draft) return;
    writer.addService(draft);
    events.add(draft, pictureFile);
  };

  const skip = (subject: string, reason: string): void => {
    counts.skipped += 1;
    reportSkipped(subject, reason);
  };

  const add = async (entry: unknown): Promise<void> => {
    const parsed = parseExportedMessage(entry, channelId, entryIndex);
    entryIndex += 1;
    counts.messages += 1;
    ids.add(entry, parsed.type !== 'bad');
    if (parsed.type === 'bad') skip(parsed.subject, parsed.reason);
    else if (parsed.type === 'service') await addService(parsed.draft, parsed.picture);
    else if (parsed.type === 'undated') {
      if (lastDate > 0) await addPost(createUndatedDraft(channelId, parsed.id, parsed.other, lastDate));
      else undated.push(parsed);
    } else {
      await addUndated(parsed.draft.post.date);
      await addPost(parsed.draft);
      if (parsed.note !== undefined) mediaDeps.report(`message ${parsed.draft.post.id}`, parsed.note);
    }
  };

  const end = async (): Promise<StoredPicture | null> => {
    for (const { id } of undated) skip(`message ${id}`, 'the export does not contain its date');
    await writer.addPosts(albums.end());
    await writer.write();
    // Between its first and its last message, an export contains all messages that still exist.
    for (const [from, to] of ids.ranges()) await store.markRangeKnown(channelId, from, to);
    if (events.pins.length > 0) await store.addPins(channelId, events.pins);
    const pictureFile = events.pictureFile();
    return pictureFile === null ? null : saveExportedPicture(pictureFile, mediaDeps);
  };

  return { add, end };
};

/**
 * Collects the message ids of an export. From the first to the last, the export contains all messages that still exist,
 * except the entries that could not be parsed.
 */
const createIdTracker = () => {
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
      const boundaries = [first - 1, ...[...unparsed].sort((a, b) => a - b), last + 1];
      return boundaries.slice(1).flatMap((boundary, index): [number, number][] => {
        const from = (boundaries[index] ?? 0) + 1;
        return from <= boundary - 1 ? [[from, boundary - 1]] : [];
      });
    },
  };
};
