// File port of the store: the download queue for media files, stored files, and their eviction.

import type { FileCounts } from '../../../contract/operator.ts';
import type { FileRef, MediaFile } from '../../domain/model.ts';

/**
 * A claimed file to fetch. `tries` counts failed attempts. `elsewhere` means that only channels of readers need it. Size in
 * bytes.
 */
export interface WantedFile {
  readonly uniqueId: string;
  readonly fileId: string;
  readonly size: number | null;
  readonly tries: number;
  readonly elsewhere: boolean;
}

/** An original that may be evicted when the quota is full. A picture has its width. */
export interface Droppable {
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
 * Store of the files that a bot's messages need, and of stored files. A message and its file may arrive in either order, with the
 * same rows as the result. Times are milliseconds, sizes bytes.
 */
export interface FileStore {
  /**
   * Queues a channel's picture. It becomes the channel's picture when it is stored, unless another one was queued in the
   * meantime. Null removes the picture.
   */
  wantChannelPicture(channelId: string, ref: Pick<FileRef, 'uniqueId' | 'fileId' | 'size'> | null): Promise<void>;
  /** Claims files that are due, those of the newest posts first. No other caller gets them before `until`. */
  takeFiles(limit: number, now: number, until: number): Promise<WantedFile[]>;
  /** Extends the claim on a file. */
  holdFile(uniqueId: string, until: number): Promise<void>;
  /** Returns when the next file is due; null if none waits. */
  nextFileDue(): Promise<number | null>;
  /** Records that a file is stored, and shows it in every message that refers to it. */
  fileKept(uniqueId: string, file: MediaFile): Promise<void>;
  /**
   * Stops fetching a file, and shows that in every message that refers to it. A file that exceeded the share of channels of
   * readers (`over-share`) is queued again when another channel needs it.
   */
  fileRefused(uniqueId: string, state: 'too-large' | 'failed' | 'over-share', reason: string): Promise<void>;
  /** Releases a claimed file until `due`. `failed` counts as an attempt. */
  fileLater(uniqueId: string, due: number, failed: boolean, reason: string): Promise<void>;
  /** Counts waiting files and failed files, the latter by reason; of one channel, or of all. */
  fileCounts(channelId: string | null): Promise<FileCounts>;

  /** Stores the total size of all smaller sizes of a stored picture. */
  putSizes(key: string, bytes: number): Promise<void>;
  /** Finds a stored file by the hash of its content alone. */
  fileOfHash(hash: string): Promise<string | null>;
  /** Returns the bytes of all stored files. */
  keptBytes(): Promise<number>;
  /** Returns the bytes of files that only channels of readers use. A file that another channel uses too is not counted. */
  elsewhereBytes(): Promise<number>;
  storage(): Promise<ChannelStorage[]>;
  /** Lists the originals of the oldest posts, among those that only posts of the bot show. Imported files are never evicted. */
  oldestOriginals(limit: number): Promise<Droppable[]>;
  /** Returns whether an original is stored whose post is older than one whose original was evicted. */
  keepsOlder(): Promise<boolean>;
  /** Exempts an original from eviction permanently: it has no smaller version worth storing. */
  spareOriginal(key: string): Promise<void>;
  /** Removes an original from every post, and replaces it by `standIn`. Returns false if something else shows it by now. */
  dropOriginal(key: string, standIn: MediaFile | null): Promise<boolean>;
  /** Lists the keys of a channel's files, including those of hidden posts. */
  keysOf(channelId: string): Promise<string[]>;
  /** Lists the keys of some stored files, at most `limit`. */
  keptKeys(limit: number): Promise<string[]>;
  /** Lists the stored keys with this prefix, and those among them that nothing shows, hides or waits for. */
  keysWith(beginning: string): Promise<{ readonly known: string[]; readonly unused: string[] }>;
  /**
   * Deletes the row of an unused file, and calls `gone` in the transaction to delete it on the disk. Returns false if something
   * shows the file by now.
   */
  forgetFile(key: string, gone: () => void): Promise<boolean>;
}
