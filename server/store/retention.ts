/** Seconds that a session lasts after its last use. */
export const SESSION_FOR = 86_400;
/** Seconds that a member of a private channel is known as one without being asked for. */
export const MEMBER_FOR = 300;
/** The fact that holds the time that could be believed last, unix ms. */
export const BELIEVED_TIME = 'believed-time';

/** Rows by their tables. */
export type Kept = Record<string, Record<string, string | number | null>[]>;

/** What leaves the store by itself because nobody came for it. */
export interface RetentionStore {
  /**
   * Erases the readers last seen before a day (days since 1970), as `dropReader` does; answers how many. Who added the bot before
   * it and never signed in is forgotten, too.
   */
  dropUnseen(day: number): Promise<number>;
  /**
   * Drops what is over at `now` (unix seconds) and nobody took away: sessions, memberships, intents, names of changes, updates that
   * wait or could not be read, operators' acts, the rests of erased readers.
   */
  dropOver(now: number): Promise<void>;
  /**
   * Takes back what a clock that was ahead said, as of `now`, unix seconds: no feed or file waits for more than two days, no
   * membership and no session lasts longer than one of now. Where the clock is behind, sessions count from the believed time.
   */
  settleFuture(now: number): Promise<void>;
  /** Everything that is kept of a reader, table by table, but for the hashes of tokens. */
  keptOf(readerId: string): Promise<Kept>;
}
