// Exports for tests, in the format of Telegram Desktop.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createFolderMediaStore } from '../../../../server/media/folder-media-store.ts';
import { type ImportOptions, importExport } from '../../../../server/sources/telegram-export/import.ts';
import { openStore } from '../../../../server/storage/open.ts';
import type { Store } from '../../../../server/storage/ports/store.ts';

export const ALL = { privateChannels: 'all' } as const;

export const NOT_INCLUDED = '(File not included. Change data exporting settings to download.)';

/** Creates a folder that is deleted after the test. */
export const folderOf = (t: Pick<TestContext, 'after'>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'changer-import-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Returns a message of an export. Its default text is `m<id>`. */
export const exportedMessage = (id: number, more: object = {}): object => ({
  id,
  type: 'message',
  date: '2026-01-01T00:00:00',
  date_unixtime: String(1_767_225_600 + id * 60),
  from: 'Town',
  from_id: 'channel77',
  text: `m${id}`,
  text_entities: [{ type: 'plain', text: `m${id}` }],
  ...more,
});

/** Returns an export of one public channel as an object. */
export const channelExport = (messages: readonly unknown[], more: object = {}): object => ({
  name: 'Town',
  type: 'public_channel',
  id: 77,
  messages,
  ...more,
});

/** Writes an export like Telegram Desktop, indented by one space per level. */
export const writeExport = (folder: string, content: unknown): string => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'result.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 1));
  return file;
};

/** Creates a store and a function that imports into it. Both are removed after the test. */
export const makeImporter = async (t: Pick<TestContext, 'after'>) => {
  const dataDir = folderOf(t);
  const store = await openStore({ dataDir });
  t.after(() => store.close());
  const mediaStore = createFolderMediaStore(dataDir);
  const from = join(dataDir, 'export');
  const importFile = (path: string, more: Partial<ImportOptions> = {}) => importExport(path, { store, mediaStore, ...more });
  const importThis = (content: unknown, more: Partial<ImportOptions> = {}) => importFile(writeExport(from, content), more);
  return { store, dataDir, from, importFile, importThis };
};

/** Returns everything in a store that a reader could see. */
export const contentOf = async (store: Store) => ({
  channels: await store.channels(ALL),
  posts: await store.posts({ limit: 100_000 }, ALL),
});
