/*
 * Storage of page snapshots (src/app/snapshot): a snapshot is in the database of the reader who saw the page. The public
 * database has the id of the reader whose snapshot was stored last, because the service worker has no other way to find
 * that reader's database.
 */
import { type DeviceStorage, databaseName, PUBLIC_DATABASE } from './device-storage.ts';
import { readFromExistingDatabase } from './indexed-db-store.ts';

/** Maximum number of pages with a snapshot. */
const MAX_PAGES = 10;

/** Key prefix of the snapshots. The rest of a key is the address of the page in the app, with its query. */
export const SNAPSHOT_PREFIX = 'snapshot/';
/** Addresses of the pages with a snapshot, the most recent last. */
const SNAPSHOT_PAGES_KEY = 'snapshot-pages';
/** In the public database: the reader whose snapshot was stored last, '' for an anonymous one. */
const SNAPSHOT_READER_KEY = 'snapshot-reader';

/** Stores the snapshot (JSON) of a page in a reader's storage, and deletes those of the pages that were seen longest ago. */
export async function storePageSnapshot(
  { reader, public: publicStore }: Pick<DeviceStorage, 'reader' | 'public'>,
  readerId: string | null,
  path: string,
  json: string,
): Promise<void> {
  const listed = parsePages(await reader.get(SNAPSHOT_PAGES_KEY));
  const stored = (await reader.keys(SNAPSHOT_PREFIX)).map((key) => key.slice(SNAPSHOT_PREFIX.length));
  // Another tab may have replaced the list: a page that is missing in it counts as the oldest.
  const missing = stored.filter((page) => !listed.includes(page));
  const pages = [...[...missing, ...listed].filter((page) => page !== path), path];
  await reader.put([
    [SNAPSHOT_PREFIX + path, json],
    [SNAPSHOT_PAGES_KEY, pages.slice(-MAX_PAGES)],
  ]);
  await reader.deleteMany(pages.slice(0, -MAX_PAGES).map((page) => SNAPSHOT_PREFIX + page));
  await publicStore.put([[SNAPSHOT_READER_KEY, readerId ?? '']]);
}

/** Returns the stored snapshot (JSON) of a page; null if there is none. */
export async function readPageSnapshot({ reader }: Pick<DeviceStorage, 'reader'>, path: string): Promise<string | null> {
  return parseText(await reader.get(SNAPSHOT_PREFIX + path));
}

/** Deletes the snapshot of a page. */
export const deletePageSnapshot = ({ reader }: Pick<DeviceStorage, 'reader'>, path: string): Promise<void> =>
  reader.deleteMany([SNAPSHOT_PREFIX + path]);

/**
 * Finds the snapshot of a page for a navigation: that of the reader whose snapshot was stored last, otherwise that of an
 * anonymous reader. The page itself decides whether it belongs to its reader. Creates no database.
 */
export async function findPageSnapshot(path: string): Promise<string | null> {
  const readerId = await readFromExistingDatabase(PUBLIC_DATABASE, SNAPSHOT_READER_KEY);
  const read = async (id: string | null) => parseText(await readFromExistingDatabase(databaseName(id), SNAPSHOT_PREFIX + path));
  const found = typeof readerId === 'string' && readerId !== '' ? await read(readerId) : null;
  return found ?? read(null);
}

const parseText = (raw: unknown): string | null => (typeof raw === 'string' ? raw : null);

const parsePages = (raw: unknown): string[] => (Array.isArray(raw) ? raw.filter((page) => typeof page === 'string') : []);
