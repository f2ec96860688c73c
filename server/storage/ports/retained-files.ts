// Retained-file port of the store: files of the web app that stay available after another build has replaced theirs. They are in
// the store, so that every process serves the files of every build.

/** A retained file without its content. Times are unix milliseconds, the size is bytes. */
export interface RetainedFile {
  /** Path of its URL, such as `/assets/app-AAAA1111.js`. */
  readonly path: string;
  readonly size: number;
  /** Hash of the content for the attribute `integrity`. */
  readonly integrity: string;
  /** Time of the first start with it. */
  readonly since: number;
  /** Time of the first start without it; null while a build in use contains it. */
  readonly retiredAt: number | null;
}

/** A file to retain. */
export interface NewRetainedFile extends RetainedFile {
  readonly content: Buffer;
}

/** Store of the files of the web app that are retained. `prefix` selects those whose path begins with it. */
export interface RetainedFileStore {
  /** Lists the files, by path. */
  retainedFiles(prefix: string): Promise<RetainedFile[]>;
  /** Returns the content of a file; null if there is none at this path. */
  retainedFileContent(path: string): Promise<Buffer | null>;
  /** Stores files. A file at the same path gets the new content and keeps its times. */
  putRetainedFiles(files: readonly NewRetainedFile[]): Promise<void>;
  /**
   * Marks the files at `currentPaths` as in use, and all others as retired since `now`, unless they are retired already.
   * Deletes files that were retired before `retiredBefore`.
   */
  retireFiles(prefix: string, currentPaths: readonly string[], now: number, retiredBefore: number): Promise<void>;
}
