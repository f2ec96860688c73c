/** Rows by their tables. */
export type Kept = Record<string, Record<string, string | number | null>[]>;

/** What leaves the store by itself because nobody came for it. */
export interface RetentionStore {
  /** Erases the readers last seen before a day (days since 1970), as `dropReader` does; answers how many. */
  dropUnseen(day: number): Promise<number>;
  /** Drops what is over at `now` (unix seconds) and nobody took away: sessions, memberships, intents, the rests of erased readers. */
  dropOver(now: number): Promise<void>;
  /** Makes due what a clock that was ahead put off: no feed or file waits for more than two days from `now`, unix seconds. */
  settleFuture(now: number): Promise<void>;
  /** Everything that is kept of a reader, table by table, but for the hashes of tokens. */
  keptOf(readerId: string): Promise<Kept>;
}
