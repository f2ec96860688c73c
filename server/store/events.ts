/**
 * What happened that readers should hear of: `new` and `edited` name a post by its id, `hidden` one that left (or, where the
 * channel may not be read any more, all of it with messageId null); `channel` says that the channel itself changed, `refresh`
 * that many of its posts did.
 */
export interface LiveEvent {
  readonly id: number;
  readonly kind: 'new' | 'edited' | 'hidden' | 'channel' | 'refresh';
  readonly channelId: string;
  readonly messageId: number | null;
}

/** The store's log of events: written in the transaction of what they tell, numbered upwards, the oldest dropped. */
export interface EventLog {
  /** Events after one, in order; null when some of them were dropped already, and everything has to be read anew. */
  events(after: number, limit: number): Promise<LiveEvent[] | null>;
  /** The number of the newest event, 0 before the first. */
  lastEvent(): Promise<number>;
  /** Writes an event by itself. */
  announce(kind: 'channel' | 'refresh', channelId: string): Promise<void>;
  /** Calls when there may be new events, also another process's, within a second; answers how to stop. */
  watch(listener: () => void): () => void;
  /** Passes a word, of at most 1000 characters, to everyone who hears on this store; in PostgreSQL in every process. */
  pass(word: string): Promise<void>;
  /** Calls with each word that is passed; answers how to stop. */
  hear(listener: (word: string) => void): () => void;
}
