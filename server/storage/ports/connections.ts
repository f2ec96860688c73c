// Channel connections of the bot, as a port of the store: their status, parked updates, memberships and leases.

/**
 * A report of the bot's membership in a channel. The later report takes precedence: by `at`, then by the id of the
 * update.
 */
export interface BotMembership {
  readonly channelId: string;
  readonly title: string;
  readonly username: string | null;
  /** Unix seconds. */
  readonly at: number;
  /** The id of Telegram's update. */
  readonly sequence: number;
  /** The Telegram user id of the person who changed the membership. */
  readonly by: string;
  /** The bot's rights as an administrator, spelled as in the Bot API; null if it is not an administrator. */
  readonly rights: readonly string[] | null;
}

/**
 * Status of the bot's connection to a channel. `asking`: an operator must accept it. `lost`: the bot is no longer an
 * administrator. `leaving`: disconnected, which can be reverted until `due`. `left`: only the time of the end is
 * stored.
 */
export type ConnectionStatus = 'connected' | 'lost' | 'asking' | 'leaving' | 'left';

/** A channel that the bot was ever in, or that is being disconnected. Times are unix seconds. */
export interface ChannelConnection {
  readonly channelId: string;
  readonly status: ConnectionStatus;
  readonly title: string;
  readonly username: string | null;
  readonly since: number;
  readonly rights: readonly string[] | null;
  readonly by: string | null;
  /**
   * Time of the last update of the channel, of the last read of its details, and of the last search for deleted posts.
   */
  readonly lastUpdateAt: number | null;
  readonly detailsReadAt: number | null;
  readonly checkedAt: number | null;
  /** Above zero while the channel's details must be fetched again. `recordDetailsFetched` takes this value. */
  readonly stale: number;
  /** The source's stable id of the stored photo. */
  readonly photo: string | null;
  readonly due: number | null;
  /** The stored data is deleted when the connection ends. */
  readonly removesContent: boolean;
  /** Posts below this message id must still be checked for deletion; null if there are none. */
  readonly recheckBelow: number | null;
}

/**
 * A connection after a membership report was stored. `isNewlyConnected` is true if the report connected a channel that
 * was not followed.
 */
export interface UpdatedConnection extends ChannelConnection {
  readonly isNewlyConnected: boolean;
}

/** An update as received, which waits for its channel to be connected. */
export interface ParkedUpdate {
  readonly channelId: string;
  readonly updateId: number;
  readonly body: string;
}

/** Numbers of stored items of a channel. */
export interface ChannelCounts {
  readonly messages: number;
  readonly hidden: number;
  readonly missing: number;
  readonly parked: number;
}

/** Counts of a channel without stored items. */
export const NO_CHANNEL_COUNTS: ChannelCounts = { messages: 0, hidden: 0, missing: 0, parked: 0 };

/** Membership of a user in a channel: 0 not a member, 1 member, 2 administrator. */
export type MemberLevel = 0 | 1 | 2;

/** Store of the bot's connections. Accepting a connection updates the channel in the same transaction. */
export interface ConnectionStore {
  /** Lists all connections except ended ones, oldest first. */
  connections(): Promise<ChannelConnection[]>;
  connection(channelId: string): Promise<ChannelConnection | null>;
  /**
   * Stores a report of the bot's membership unless a later one is known. `trusted` means that the reporting person may
   * connect channels here. In that case the audit event "connect" is written in the same transaction, as of `now` (unix
   * seconds, by default the report's own time).
   */
  recordMembership(report: BotMembership, trusted: boolean, now?: number): Promise<UpdatedConnection>;
  /** Stores the bot's rights that a request to Telegram returned: no update reported them, or not yet. */
  recordBotRights(channelId: string, rights: readonly string[] | null): Promise<void>;
  /** Accepts a channel that waits for acceptance, on behalf of a user. Returns false if no such request exists. */
  acceptConnection(channelId: string, by: string): Promise<boolean>;
  /**
   * Disconnects a channel as of `at`. The connection ends at `due`. `remove` hides the channel from readers
   * immediately. Returns false if there is nothing to disconnect.
   */
  disconnect(channelId: string, options: { at: number; due: number; remove: boolean }): Promise<boolean>;
  /** Reverts a disconnection. Returns false if it is too late. */
  reconnect(channelId: string): Promise<boolean>;
  /**
   * Ends a connection, or declines it: only a report later than the last known one counts afterwards. Deletes parked
   * updates.
   */
  markLeft(channelId: string): Promise<void>;
  /** Stores the time of an update of the channel. */
  recordUpdateReceived(channelId: string, at: number): Promise<void>;
  /** Lists followed channels that still have parked updates, because of a crash in between. */
  followedWithParkedUpdates(): Promise<string[]>;
  /**
   * Lists channels whose updates have been parked since `before` (unix seconds), without any report about the bot in
   * them.
   */
  unknownWithParkedUpdates(before: number): Promise<string[]>;
  /** Requests that the channel's details are fetched again. The request survives a restart. */
  markDetailsStale(channelId: string): Promise<void>;
  /**
   * Records the time and the photo of a fetch of the details. Resets `stale` unless its value has changed since then.
   */
  recordDetailsFetched(channelId: string, details: { at: number; stale: number; photo: string | null }): Promise<void>;
  /**
   * Sets the message id below which posts must still be checked for deletion; null when the check is complete, as of
   * `at`.
   */
  setRecheck(channelId: string, below: number | null, at: number): Promise<void>;
  /** Counts the items of several channels, by channel id. Channels without any are left out. */
  channelCounts(channelIds: readonly string[]): Promise<ReadonlyMap<string, ChannelCounts>>;

  /** Parks an update. If its channel is connected by now, returns false, and the update can be processed. */
  parkUpdate(update: ParkedUpdate, at: number): Promise<boolean>;
  parkedUpdates(channelId: string): Promise<ParkedUpdate[]>;
  deleteParkedUpdate(updateId: number): Promise<void>;
  /** Stores an update that could not be parsed for 30 days, with the reason and without personal data. */
  saveBadUpdate(update: { updateId: number; body: string; reason: string }, at: number): Promise<void>;
  deleteBadUpdate(updateId: number): Promise<void>;
  badUpdates(): Promise<{ readonly updateId: number; readonly body: string; readonly reason: string }[]>;
  /** Counts the updates that could not be parsed, and returns the newest of them. */
  newestBadUpdates(limit: number): Promise<{
    readonly count: number;
    readonly newest: readonly { readonly updateId: number; readonly reason: string }[];
  }>;

  /** Records that a reader is about to connect a channel. */
  recordConnectIntent(readerId: string, at: number): Promise<void>;
  /** Returns when a reader last recorded such an intent, in unix seconds; null for never. */
  connectIntentAt(readerId: string): Promise<number | null>;

  /** Returns a cached membership that is valid at `now` (unix seconds); null if there is none. */
  memberLevel(channelId: string, userId: string, now: number): Promise<MemberLevel | null>;
  putMemberLevel(channelId: string, userId: string, level: MemberLevel, until: number): Promise<void>;
  deleteMember(channelId: string, userId: string): Promise<void>;
  /** Lists private channels that are followed live. The bot can look up their members. */
  followedPrivateChannels(): Promise<string[]>;

  /** Acquires or renews a lease until `until`. Returns the holder, which may be another one. Times are milliseconds. */
  acquireLease(name: string, holder: string, now: number, until: number): Promise<string>;
  /** Releases the caller's lease, or the lease of a holder that is known to be dead. */
  releaseLease(name: string, holder: string): Promise<void>;
}
