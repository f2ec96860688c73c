import type { Act } from '../../../contract/operator.ts';

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
  /** The newest first. */
  acts(query: ActsQuery): Promise<Act[]>;
}
