import type { FileCounts } from '../../../contract/operator.ts';
import type { FileRef, MediaFile } from '../../domain/model.ts';

/**
 * A file whose turn it is to be fetched; `tries` counts the failed ones, and `elsewhere` says that channels from elsewhere alone
 * want it. Sizes are bytes.
 */
export interface WantedFile {
  readonly uniqueId: string;
  readonly fileId: string;
  readonly size: number | null;
  readonly tries: number;
  readonly elsewhere: boolean;
}

/** An original that may leave when the quota is full; a picture has its width. */
export interface Droppable {
  readonly key: string;
  readonly mime: string;
  readonly size: number;
  readonly width: number | null;
}

/** What a channel's kept files take, its hidden posts' included; a file in two channels counts in both. */
export interface ChannelStorage {
  readonly channelId: string;
  readonly bytes: number;
  readonly files: number;
}

/**
 * The files that a bot's messages want fetched, and what is kept. A message and its file may come in either order: the rows
 * are the same. Times are milliseconds, sizes bytes.
 */
export interface FileStore {
  /**
   * Wants a channel's picture, which becomes the channel's when it is kept, unless another was wanted meanwhile; null takes the
   * picture away.
   */
  wantChannelPicture(channelId: string, ref: Pick<FileRef, 'uniqueId' | 'fileId' | 'size'> | null): Promise<void>;
  /** Takes files that are due, those of the newest posts first; nobody else is given them before `until`. */
  takeFiles(limit: number, now: number, until: number): Promise<WantedFile[]>;
  /** Holds on to a taken file until later. */
  holdFile(uniqueId: string, until: number): Promise<void>;
  /** When the next file is due; null where none waits. */
  nextFileDue(): Promise<number | null>;
  /** Notes that a file is kept, and shows it in every message that wants it. */
  fileKept(uniqueId: string, file: MediaFile): Promise<void>;
  /**
   * Gives up on a file, and says so in every message that wants it. What was over the share of channels from
   * elsewhere is wanted again when another channel wants it.
   */
  fileRefused(uniqueId: string, state: 'too-large' | 'failed' | 'over-share', reason: string): Promise<void>;
  /** Gives a taken file back until `due`; `failed` counts it as a try. */
  fileLater(uniqueId: string, due: number, failed: boolean, reason: string): Promise<void>;
  /** Counts what waits and what failed, by reason; of one channel, or of all. */
  fileCounts(channelId: string | null): Promise<FileCounts>;

  /** Stores how much all smaller sizes of a kept picture take together. */
  putSizes(key: string, bytes: number): Promise<void>;
  /** A kept file by the hash of its content alone. */
  fileOfHash(hash: string): Promise<string | null>;
  /** Bytes of everything kept. */
  keptBytes(): Promise<number>;
  /** Bytes of what is kept for channels from elsewhere alone: a file that another channel has too is not counted. */
  elsewhereBytes(): Promise<number>;
  storage(): Promise<ChannelStorage[]>;
  /** The originals whose posts are the oldest, of those that only a bot's posts show; imported ones never leave. */
  oldestOriginals(limit: number): Promise<Droppable[]>;
  /** Whether an original is kept whose post is older than one that was dropped. */
  keepsOlder(): Promise<boolean>;
  /** Leaves an original where it is for good: it has no smaller stand-in worth keeping. */
  spareOriginal(key: string): Promise<void>;
  /** Drops an original from every post, where `standIn` comes in its place; false when something else shows it by now. */
  dropOriginal(key: string, standIn: MediaFile | null): Promise<boolean>;
  /** The keys of a channel's files, those of hidden posts too. */
  keysOf(channelId: string): Promise<string[]>;
  /** The keys of some kept files, no more than `limit`. */
  keptKeys(limit: number): Promise<string[]>;
  /** The keys that are kept with this beginning, and of them those that nothing shows, hides or waits for. */
  keysWith(beginning: string): Promise<{ readonly known: string[]; readonly unused: string[] }>;
  /** Forgets a file that nothing shows, `gone` deleting it on the disk meanwhile; false when something shows it by now. */
  forgetFile(key: string, gone: () => void): Promise<boolean>;
}
