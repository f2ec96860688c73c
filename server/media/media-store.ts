/** Media store: port to the place where media files are stored, either a folder or a bucket of object storage (S3). */
import type { Readable } from 'node:stream';

/** Stored file as its place describes it. `modifiedAt` is unix milliseconds. */
export interface MediaEntry {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/** Part of a file, bytes. `end` is inclusive. */
export interface MediaRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Store of media files by name: the hash of the content and an extension, so a stored file never changes. A failure of
 * object storage is a `StorageError` of the kind `media`.
 */
export interface MediaStore {
  /** Setting that selects the place, for messages to the operator. */
  readonly setting: 'DATA_DIR' | 'S3_BUCKET';
  /** Local folder of files that are not complete yet. It holds nothing that must outlast the process. */
  readonly incomingFolder: string;
  /**
   * Stores a complete local file under a name and durably. The local file may be moved. A file of that name is stored
   * once, and its `modifiedAt` is that of the last call.
   */
  save(incomingPath: string, name: string): Promise<void>;
  /** Returns null for a missing file. */
  find(name: string): Promise<MediaEntry | null>;
  /** Opens a file or a part of it; null if it is missing. */
  read(name: string, range?: MediaRange): Promise<Readable | null>;
  /** Calls `task` with the path of a local copy, which exists until the task ends. Rejects if the file is missing. */
  withLocalCopy<Result>(name: string, task: (path: string) => Promise<Result>): Promise<Result>;
  /** Deletes files, if they exist. A folder deletes them before this function returns its promise. */
  delete(names: readonly string[]): Promise<void>;
  /** Lists the files whose names begin with two hex digits, page by page; all files without a prefix. */
  list(prefix?: string): AsyncIterable<MediaEntry>;
  /** Returns the space for more files, bytes; null if it is unknown. */
  freeBytes(): Promise<number | null>;
  /**
   * Publishes a copy of a file that anyone may see, and returns its public address. Returns null if the place has no
   * public address, or if a browser could take the file for more than an image, audio or a video.
   */
  publish(name: string): Promise<string | null>;
  /** Deletes the published copies of files. */
  unpublish(names: readonly string[]): Promise<void>;
  /** Lists the names of the published copies that begin with two hex digits. */
  listPublished(prefix: string): AsyncIterable<string>;
  /** Throws an error for the operator if the place cannot be used now. */
  assertHealthy(): Promise<void>;
}
