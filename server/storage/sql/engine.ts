// Database engine: the interface between the SQL of the store and its database, SQLite or PostgreSQL.

import type { BusMessage } from '../ports/bus-message.ts';
import type { Operation } from './statements.ts';

/** Schema versions of a database: at opening, and now. */
export interface SchemaVersions {
  readonly from: number;
  readonly to: number;
}

/**
 * The database responds but cannot be used. The message is a clause with the reason, and contains no part of its
 * address.
 */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/** Runs operations (generators of statements) on the tables of one database. */
export interface Engine {
  /**
   * Runs an operation without a transaction and outside the queue of writes. It only reads, except for updates of single
   * rows that append no event and do not depend on each other, such as those of `touchSession`.
   */
  read<T>(operation: Operation<T>): Promise<T>;
  /**
   * Runs an operation in one transaction, and sends its events after the commit. Writes run one after another, as if no
   * other writer existed. A write to one reader's own rows waits only for writes of the same reader.
   */
  write<T>(operation: Operation<T>, readerId?: string): Promise<T>;
  /**
   * Calls the listener within a second of possible new events, also of another process. Returns a function that
   * unsubscribes.
   */
  onChange(listener: () => void): () => void;
  /** Sends a message to all subscribers, in this process or in all processes. See `EventLog`. */
  publish(message: BusMessage): Promise<void>;
  subscribe(listener: (message: BusMessage) => void): () => void;
  /** Returns the error that reported a damaged database since it was opened, or null. */
  damage(): Error | null;
  /** Returns whether reads may use the replica of the database now, or null without a replica. */
  isReplicaCurrent(): boolean | null;
  /**
   * Blocks all writers until the returned function is called. It waits for running writes. The returned function
   * rejects if a write was possible before that call.
   */
  blockWrites(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
