/** What a bot is told of its standing in a channel, as of `at` (unix seconds) and, within a second, `turn` (the update's id). */
export interface Standing {
  readonly channelId: string;
  readonly title: string;
  readonly username: string | null;
  readonly at: number;
  readonly turn: number;
  /** Who changed it, a Telegram user's id. */
  readonly by: string;
  /** The bot's rights as an administrator, spelled as in the Bot API; null where it is none. */
  readonly rights: readonly string[] | null;
}

/**
 * How the bot stands to a channel. `asking`: an operator has to accept it. `lost`: the bot is no administrator any more.
 * `leaving`: disconnected, and until `due` it can be taken back. `left`: all that is kept is when that was.
 */
export type ConnectionStatus = 'connected' | 'lost' | 'asking' | 'leaving' | 'left';

/** A channel that a bot was ever in, or that is being disconnected. Times are unix seconds. */
export interface ChannelConnection {
  readonly channelId: string;
  readonly status: ConnectionStatus;
  readonly title: string;
  readonly username: string | null;
  readonly since: number;
  readonly rights: readonly string[] | null;
  readonly by: string | null;
  /** When an update of it last came, when its facts were last read, and when deleted posts were last looked for. */
  readonly heardAt: number | null;
  readonly readAt: number | null;
  readonly checkedAt: number | null;
  /** Above zero while its facts have to be read anew: what `factsRead` has to be told. */
  readonly stale: number;
  /** The source's stable name of the photo that is kept. */
  readonly photo: string | null;
  readonly due: number | null;
  /** What is kept goes when it is left. */
  readonly removes: boolean;
  /** Posts below this message id are still to be looked for; null when none are. */
  readonly recheck: number | null;
}

/** A connection after a standing was stored; `connects` where that connected a channel which was not followed before. */
export interface StandingNoted extends ChannelConnection {
  readonly connects: boolean;
}

/** An update as it came, waiting for its channel to be connected. */
export interface ParkedUpdate {
  readonly channelId: string;
  readonly updateId: number;
  readonly body: string;
}

/** What is kept of a channel, counted. */
export interface ChannelCounts {
  readonly messages: number;
  readonly hidden: number;
  readonly missing: number;
  readonly parked: number;
}

/** How a user stands to a channel: 0 outside, 1 a member, 2 an administrator. */
export type MemberLevel = 0 | 1 | 2;

/** The store's part of what a bot is connected to. What is accepted shows as a channel in the same transaction. */
export interface ConnectionStore {
  /** All but those that were left, the oldest first. */
  connections(): Promise<ChannelConnection[]>;
  connection(channelId: string): Promise<ChannelConnection | null>;
  /**
   * Stores the bot's standing unless a later one is known. `trusted` where who did it may connect channels here: the act "connect" is
   * then written in the same transaction, as of `now` (unix seconds), which is the standing's own time if not given.
   */
  noteStanding(standing: Standing, trusted: boolean, now?: number): Promise<StandingNoted>;
  /** Notes the bot's rights as Telegram gives them when asked: of which no update came, or not yet. */
  notePresence(channelId: string, rights: readonly string[] | null): Promise<void>;
  /** Accepts a channel that asks, on behalf of a user. False where none asks. */
  accept(channelId: string, by: string): Promise<boolean>;
  /** Disconnects as of `at`, to be left at `due`; `remove` takes it from readers at once. False where there is nothing to. */
  disconnect(channelId: string, how: { at: number; due: number; remove: boolean }): Promise<boolean>;
  /** Takes a disconnection back; false when it is too late. */
  reconnect(channelId: string): Promise<boolean>;
  /** Says that it was left, or declined: only a standing later than the one known counts. What was parked goes. */
  noteLeft(channelId: string): Promise<void>;
  /** Notes that an update of the channel came. */
  noteHeard(channelId: string, at: number): Promise<void>;
  /** The followed channels of which updates are still parked: a crash came between. */
  followedParked(): Promise<string[]>;
  /** Channels of which updates have been parked since `before` (unix seconds) though nothing ever told of the bot in them. */
  strangersParked(before: number): Promise<string[]>;
  /** Asks for the channel's facts to be read anew; a restart does not forget it. */
  markStale(channelId: string): Promise<void>;
  /** Notes that the facts were read as of `at`, unless they became stale again since `stale`. */
  factsRead(channelId: string, read: { at: number; stale: number; photo: string | null }): Promise<void>;
  /** Says below which message id posts are still to be looked for; null when that is done, as of `at`. */
  setRecheck(channelId: string, below: number | null, at: number): Promise<void>;
  counts(channelId: string): Promise<ChannelCounts>;

  /** Parks an update unless its channel is connected by now: then false, and it can be put in its place. */
  park(update: ParkedUpdate, at: number): Promise<boolean>;
  parked(channelId: string): Promise<ParkedUpdate[]>;
  unpark(updateId: number): Promise<void>;
  /** Keeps an update that could not be read, with the reason and without the people in it, for 30 days. */
  keepBadUpdate(update: { updateId: number; body: string; reason: string }, at: number): Promise<void>;
  dropBadUpdate(updateId: number): Promise<void>;
  badUpdates(): Promise<{ readonly updateId: number; readonly body: string; readonly reason: string }[]>;
  /** Counts the updates that could not be read, and returns the newest of them. */
  newestBadUpdates(limit: number): Promise<{
    readonly count: number;
    readonly newest: readonly { readonly updateId: number; readonly reason: string }[];
  }>;

  /** Notes that a reader is about to connect a channel. */
  putIntent(readerId: string, at: number): Promise<void>;
  /** When a reader was last about to. */
  intent(readerId: string): Promise<number | null>;

  /** A membership that is still known at `now`. */
  member(channelId: string, userId: string, now: number): Promise<MemberLevel | null>;
  putMember(channelId: string, userId: string, level: MemberLevel, until: number): Promise<void>;
  forgetMember(channelId: string, userId: string): Promise<void>;
  /** Private channels that are followed live: whose members can be asked after. */
  followedPrivately(): Promise<string[]>;

  /** Takes or renews a lease until `until`; who holds it where another does. Milliseconds. */
  lease(name: string, holder: string, now: number, until: number): Promise<string>;
  /** Ends another's lease that is known to be dead, or one's own. */
  endLease(name: string, holder: string): Promise<void>;
}
