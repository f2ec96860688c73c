import type { Work } from './statements.ts';

/** Which version a schema had when it was opened, and has now. */
export interface Versions {
  readonly from: number;
  readonly to: number;
}

/** What does works on one engine's tables. */
export interface Engine {
  /** Does a work that only reads. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Does a work in one transaction, after which its events are told. Works that write come one after another, as if there were
   * nobody else; those of one reader's own rows wait only for those of the same reader.
   */
  write<T>(work: Work<T>, readerId?: string): Promise<T>;
  /** Calls when there may be new events, also of another process, within a second; answers how to stop. */
  watch(listener: () => void): () => void;
  /** Passes a word to everyone who hears, in this process or in all of them; see EventLog. */
  pass(word: string): Promise<void>;
  hear(listener: (word: string) => void): () => void;
  /** What said that the database is damaged, since it was opened; null where nothing did. */
  damage(): Error | null;
  /** Lets nobody write until it is let go, which fails where somebody could write before; waits for whoever writes now. */
  hold(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
