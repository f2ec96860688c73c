import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from './sqlite/database.ts';
import { sqliteStore } from './sqlite/engine.ts';
import { migrate } from './sqlite/migrations.ts';
import { remakeWords } from './sqlite/remake-words.ts';
import type { Store } from './store.ts';

const FILE = 'changer.sqlite';

/** Says in a word what the driver's error means for the person who started the server. */
const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  if (/readonly|unable to open|EACCES|EROFS|EPERM/i.test(message)) return 'the directory or the file cannot be written';
  if (/malformed|not a database/i.test(message))
    return 'the file is damaged or is no database; put a backup in its place or move it away';
  if (/EEXIST|ENOTDIR/.test(message)) return 'there is a file where a directory should be';
  if (/full/i.test(message)) return 'the disk is full';
  return message;
};

const ready = async (path: string): Promise<Database> => {
  const database = await openDatabase(path);
  try {
    migrate(database);
    remakeWords(database);
    // A write that changes nothing: a read-only place is told now, not at the first post.
    database.exec('BEGIN IMMEDIATE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Opens the store under DATA_DIR, made and brought up to date as needed; fails with one sentence that says what to do. */
export const openStore = async ({ dataDir }: { dataDir: string }): Promise<Store> => {
  const path = join(dataDir, FILE);
  try {
    await mkdir(dataDir, { recursive: true });
    return sqliteStore(await ready(path));
  } catch (error) {
    throw new Error(`DATA_DIR: the database ${path} cannot be opened: ${reasonOf(error)}.`, { cause: error });
  }
};
