// Kinds of writes that a server acknowledges, for crash tests. Each has a check that finds missing writes afterwards.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mediaPath } from '../../../server/media/files.ts';
import { createFolderMediaStore } from '../../../server/media/folder-media-store.ts';
import type { MediaStore } from '../../../server/media/media-store.ts';
import { saveMediaFile } from '../../../server/media/save-file.ts';
import { importExport } from '../../../server/sources/telegram-export/import.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { channelExport, exportedMessage, writeExport } from '../sources/telegram-export/export-files.ts';
import { ALL, channel, message } from './conformance.ts';

/** Opens the media files of a store in its data folder. */
export const crashTargetOf = (store: Store, dataDir: string): CrashTarget => ({
  store,
  dataDir,
  mediaStore: createFolderMediaStore(dataDir),
});

/** A store and its data folder. */
export interface CrashTarget {
  readonly store: Store;
  readonly mediaStore: MediaStore;
  readonly dataDir: string;
}

export interface WriteKind {
  /** Writes number `n`. Numbers only increase. */
  write(target: CrashTarget, n: number): Promise<unknown>;
  /** Returns the numbers of the missing writes. */
  findMissing(target: CrashTarget, numbers: readonly number[]): Promise<number[]>;
}

const READER = '4242';
const CHANNEL_ID = '1';
export const IMPORTED = 450;

/** Creates the rows that the writes need, if they do not exist. */
export const createRequiredRows = async ({ store }: CrashTarget): Promise<void> => {
  await store.putChannel(channel(CHANNEL_ID));
  await store.putReader({ id: READER, name: 'Reader' });
};

const filterMissing = async (numbers: readonly number[], holds: (n: number) => Promise<boolean> | boolean): Promise<number[]> => {
  const missing = [];
  for (const n of numbers) if (!(await holds(n))) missing.push(n);
  return missing;
};

const textOf = async ({ store }: CrashTarget, id: number): Promise<string> => (await store.post(CHANNEL_ID, id, ALL))?.text ?? '';

const starsOf = async ({ store }: CrashTarget): Promise<Set<number>> =>
  new Set((await store.stars(READER, null, 1_000_000)).map(({ postId }) => postId));

const content = (n: number) => Buffer.from(`a file of number ${n}, ${'x'.repeat(n % 5000)}`);

/** Writes the export of a channel whose id is the number. */
const exportOf = (dataDir: string, n: number): string => {
  const messages = Array.from({ length: IMPORTED }, (_, at) => exportedMessage(at + 1));
  return writeExport(join(dataDir, 'exports', String(n)), channelExport(messages, { id: n }));
};

export const importOne = (target: CrashTarget, n: number) => importExport(exportOf(target.dataDir, n), target);

/** Returns true if an import is complete. */
export const isImportComplete = async ({ store }: CrashTarget, n: number): Promise<boolean> => {
  const posts = await store.posts({ channelIds: [String(n)], limit: IMPORTED + 1 }, ALL);
  return posts.length === IMPORTED && (await store.setting(`import ${n}`)) === 'complete';
};

export const KINDS = {
  post: {
    write: ({ store }, n) => store.putMessages([message(CHANNEL_ID, n, { text: `post ${n}` })]),
    findMissing: (target, numbers) => filterMissing(numbers, async (n) => (await textOf(target, n)) === `post ${n}`),
  },
  edit: {
    write: ({ store }, n) => store.putMessages([message(CHANNEL_ID, 1, { text: String(n), edited: 1e6 + n })]),
    findMissing: async (target, numbers) => {
      const stored = Number(await textOf(target, 1));
      return numbers.filter((n) => stored < n);
    },
  },
  hide: {
    write: async ({ store }, n) => {
      await store.putMessages([message(CHANNEL_ID, 5e8 + n)]);
      await store.hidePost(CHANNEL_ID, 5e8 + n, 1);
    },
    findMissing: async ({ store }, numbers) => {
      const hidden = new Set((await store.hiddenPosts(CHANNEL_ID, 1_000_000)).map(({ post }) => post.id));
      return numbers.filter((n) => !hidden.has(5e8 + n));
    },
  },
  lineup: {
    write: ({ store }, n) => store.putLineup(READER, { entries: [{ channelId: CHANNEL_ID, mutedUntil: n }] }, `lineup ${n}`),
    findMissing: async ({ store }, numbers) => {
      const until = (await store.lineup(READER)).entries[0]?.mutedUntil ?? 0;
      return numbers.filter((n) => until < n);
    },
  },
  mark: {
    write: ({ store }, n) => store.putReadMarker(READER, { channelId: CHANNEL_ID, messageId: n }, false, `mark ${n}`),
    findMissing: async ({ store }, numbers) => {
      const stored = (await store.readMarkers(READER))[0]?.messageId ?? 0;
      return numbers.filter((n) => stored < n);
    },
  },
  star: {
    write: ({ store }, n) => store.putStar(READER, { channelId: CHANNEL_ID, postId: n, at: n }, `star ${n}`),
    findMissing: async (target, numbers) => {
      const stars = await starsOf(target);
      return numbers.filter((n) => !stars.has(n));
    },
  },
  unstar: {
    write: async ({ store }, n) => {
      await store.putStar(READER, { channelId: CHANNEL_ID, postId: 5e8 + n, at: n });
      await store.deleteStar(READER, CHANNEL_ID, 5e8 + n, `unstar ${n}`);
    },
    findMissing: async (target, numbers) => {
      const stars = await starsOf(target);
      return numbers.filter((n) => stars.has(5e8 + n));
    },
  },
  act: {
    write: ({ store }, n) => store.appendAuditEntry({ at: 2e9, actorId: READER, act: 'brand', detail: String(n) }),
    findMissing: async ({ store }, numbers) => {
      const recorded = new Set((await store.auditEntries({ limit: 1_000_000 })).map(({ detail }) => Number(detail)));
      return numbers.filter((n) => !recorded.has(n));
    },
  },
  session: {
    write: ({ store }, n) => store.putSession({ tokenHash: `token ${n}`, readerId: READER, expires: 4e9 }),
    findMissing: ({ store }, numbers) =>
      filterMissing(numbers, async (n) => (await store.touchSession(`token ${n}`, 1, 4e9)) !== null),
  },
  erasure: {
    write: async ({ store }, n) => {
      await store.putReader({ id: `leaving ${n}`, name: 'Leaving' });
      await store.deleteReader(`leaving ${n}`);
    },
    findMissing: ({ store }, numbers) => filterMissing(numbers, async (n) => (await store.reader(`leaving ${n}`)) === null),
  },
  file: {
    write: async (target, n) => {
      const { file } = await saveMediaFile(content(n), target);
      await target.store.putSetting(`file ${n}`, file.key);
    },
    findMissing: ({ store, dataDir }, numbers) =>
      filterMissing(numbers, async (n) => {
        const key = (await store.setting(`file ${n}`)) ?? '';
        return (await store.mediaFile(key)) !== null && existsSync(mediaPath(dataDir, key));
      }),
  },
  import: {
    write: importOne,
    findMissing: (target, numbers) => filterMissing(numbers, (n) => isImportComplete(target, n)),
  },
} satisfies Readonly<Record<string, WriteKind>>;
