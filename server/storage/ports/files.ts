// File port of the store: the download queue for media files, stored files, and their eviction.

import type { FileCounts } from '../../../contract/operator.ts';
import type { FileRef, MediaFile } from '../../domain/model.ts';

/**
 * A claimed file to fetch. `tries` counts failed attempts. `isExternal` means that only channels of readers need it.
 * Size in bytes.
 */
export interface QueuedFile {
  readonly uniqueId: string;
  readonly fileId: string;
  readonly size: number | null;
  readonly tries: number;
  readonly isExternal: boolean;
}

/** An original that may be evicted when the quota is full. A picture has its width. */
export interface EvictableFile {
  readonly key: string;
  readonly mime: string;
  readonly size: number;
  readonly width: number | null;
}

/** Disk usage of a channel's stored files, including those of hidden posts. A file in two channels counts in both. */
export interface ChannelStorage {
  readonly channelId: string;
  readonly bytes: number;
  readonly files: number;
}

/**
 * Store of the files that a bot's messages need, and of stored files. A message and its file may arrive in either
 * order, with the same rows as the result. Times are milliseconds, sizes bytes.
 */
export interface FileStore {
  /**
   * Queues a channel's picture. It becomes the channel's picture when it is stored, unless another one was queued in
   * the meantime. Null removes the picture.
   */
  queueChannelPicture(channelId: string, ref: Pick<FileRef, 'uniqueId' | 'fileId' | 'size'> | null): Promise<void>;
  /** Claims files that are due, those of the newest posts first. No other caller gets them before `until`. */
  claimFiles(limit: number, now: number, until: number): Promise<QueuedFile[]>;
  /** Extends the claim on a file. */
  extendFileClaim(uniqueId: string, until: number): Promise<void>;
  /** Returns when the next file is due; null if none waits. */
  nextFileDue(): Promise<number | null>;
  /** Records that a file is stored, and shows it in every message that refers to it. */
  markFileSaved(uniqueId: string, file: MediaFile): Promise<void>;
  /**
   * Stops fetching a file, and shows that in every message that refers to it. A file that exceeded the share of
   * channels of readers (`over-share`) is queued again when another channel needs it.
   */
  markFileRejected(uniqueId: string, state: 'too-large' | 'failed' | 'over-share', reason: string): Promise<void>;
  /** Releases a claimed file until `due`. `failed` counts as an attempt. */
  postponeFile(uniqueId: string, due: number, failed: boolean, reason: string): Promise<void>;
  /** Counts waiting files and failed files, the latter by reason. */
  fileCounts(): Promise<FileCounts>;
  /**
   * Counts the files of several channels in the same way, by channel id. A file in two channels counts in both.
   * Channels without any are left out.
   */
  fileCountsByChannel(channelIds: readonly string[]): Promise<ReadonlyMap<string, FileCounts>>;

  /** Stores the total size of all smaller sizes of a stored picture. */
  putThumbnailBytes(key: string, bytes: number): Promise<void>;
  /** Finds a stored file by the hash of its content alone. */
  findFileByHash(hash: string): Promise<string | null>;
  /** Returns the bytes of all stored files. */
  storedBytes(): Promise<number>;
  /**
   * Returns the bytes of files that only channels of readers use. A file that another channel uses too is not counted.
   */
  externalBytes(): Promise<number>;
  storageByChannel(): Promise<ChannelStorage[]>;
  /**
   * Lists the originals of the oldest posts, among those that only posts of the bot show. Imported files are never
   * evicted.
   */
  oldestOriginals(limit: number): Promise<EvictableFile[]>;
  /** Returns whether an original is stored whose post is older than one whose original was evicted. */
  hasOriginalOlderThanEvicted(): Promise<boolean>;
  /** Exempts an original from eviction permanently: it has no smaller version worth storing. */
  retainOriginal(key: string): Promise<void>;
  /**
   * Removes an original from every post, and replaces it by `replacement`. Returns false if the original stays, because
   * another post needs it by now.
   */
  evictOriginal(key: string, replacement: MediaFile | null): Promise<boolean>;
  /** Lists the keys of a channel's files, including those of hidden posts. */
  fileKeysOfChannel(channelId: string): Promise<string[]>;
  /** Lists the keys of some stored files, at most `limit`. */
  sampleFileKeys(limit: number): Promise<string[]>;
  /** Lists the stored keys with this prefix, and those among them that nothing shows, hides or waits for. */
  fileKeysWithPrefix(prefix: string): Promise<{ readonly known: string[]; readonly unused: string[] }>;
  /**
   * Deletes the row of an unused file, and calls `onDeleted` in the transaction to delete it on the disk. Returns false
   * if something shows the file by now.
   */
  deleteFileIfUnused(key: string, onDeleted: () => void): Promise<boolean>;
}
