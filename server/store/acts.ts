import type { Act } from '../../contract/operator.ts';
import type { Store } from './store.ts';

/** An act to write down; `actorId` is the reader who did it, `telegram` where Telegram told of it, or `import` for the command of that name. `at` is unix seconds. */
export interface NewAct extends Omit<Act, 'id' | 'actor'> {
  readonly actorId: string;
}

export interface ActsQuery {
  /** Only acts with a lower id. */
  readonly before?: number;
  readonly limit: number;
  /** Only acts on these channels; all acts when absent. */
  readonly channelIds?: readonly string[];
}

/**
 * Who did what, for a year. A name is looked up when the list is read and is kept nowhere else: of a reader who was erased the
 * id alone is left.
 */
export interface ActLog {
  putAct(act: NewAct): Promise<void>;
  /**
   * Returns a store whose first write also writes these acts, in the same transaction: both are there, or neither. No act is written
   * where that write answers false, which says that there was nothing to do.
   */
  withActs(acts: readonly NewAct[]): Store;
  /** The newest first. */
  acts(query: ActsQuery): Promise<Act[]>;
}
