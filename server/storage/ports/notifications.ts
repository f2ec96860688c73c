// Notifications, as a port of the store: choices, settings, devices, the matching of posts, and the sending queue.

import type { Choice, NotificationSettings } from '../../../contract/notifications.ts';

/**
 * Owner of choices and settings: the id of a reader, or, for an anonymous device, `d-` and the id of the device. Ids of
 * readers contain digits only.
 */
export type NotificationOwner = string;

/** Returns the owner of an anonymous device's choices. */
export const anonymousOwner = (deviceId: string): NotificationOwner => `d-${deviceId}`;

/** Returns whether an owner is an anonymous device. */
export const isAnonymousOwner = (owner: NotificationOwner): boolean => owner.startsWith('d-');

/** Returns the recipient of a reader's messages from the bot. */
export const botRecipient = (readerId: string): string => `b-${readerId}`;

/** Settings of an owner. `botAccess` means that the bot may write to the reader. */
export interface StoredNotificationSettings extends NotificationSettings {
  readonly botAccess: boolean;
}

/** A Web Push subscription. Times are unix seconds. */
export interface StoredDevice {
  readonly id: string;
  readonly owner: NotificationOwner;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly language: string;
  readonly label: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

/** A device to store. `tokenHash` identifies it: a device with the same hash, or the same endpoint, is replaced. */
export interface DeviceRegistration extends Omit<StoredDevice, 'id' | 'owner' | 'createdAt' | 'seenAt'> {
  readonly tokenHash: string;
  /** The signed-in reader; null if the caller is anonymous. */
  readonly readerId: string | null;
}

/**
 * A choice to store. `phrases` are the index terms of each of its words: a post matches if it contains all terms of one
 * of them.
 */
export interface ChoiceToStore extends Choice {
  readonly phrases: readonly (readonly string[])[];
}

/** A page of choices that a new post is matched against. `after` is the last owner of the previous page. */
export interface MatchPosition {
  /** Id of the last event that is completely matched. */
  readonly eventId: number;
  /** The next event is matched up to this owner, first for the choices "all" and then for those with words. */
  readonly phase: 'all' | 'words';
  readonly after: NotificationOwner;
}

/** A new post to match. */
export interface PostToMatch {
  readonly eventId: number;
  readonly channelId: string;
  readonly postId: number;
  /** Milliseconds. */
  readonly at: number;
}

/** Kinds of queued notifications. `read` closes the notification of a channel. */
export type QueuedKind = 'post' | 'read' | 'test';

/** A queued notification for one recipient. Times are unix milliseconds. */
export interface QueuedNotification {
  /** Device id, or `b-` and the reader's id for the bot. */
  readonly recipient: string;
  readonly owner: NotificationOwner;
  readonly kind: QueuedKind;
  /** Empty for a test. */
  readonly channelId: string;
  readonly postId: number;
  /** Time of the match. */
  readonly at: number;
  readonly attempts: number;
}

/** All due notifications of some recipients, claimed by one process until a time. */
export interface NotificationClaim {
  readonly id: string;
  readonly items: readonly QueuedNotification[];
  readonly devices: ReadonlyMap<string, StoredDevice>;
  readonly settings: ReadonlyMap<NotificationOwner, StoredNotificationSettings>;
}

/**
 * Result of some items of one recipient. `postpone`: nothing was sent, and they are due at `due` (unix ms). All other
 * results remove the items. `gone` also removes the device, or ends the bot's access. `dropped` means that there is
 * nothing to send, and is not counted.
 */
export type NotificationResult = {
  readonly recipient: string;
  readonly items: readonly QueuedNotification[];
} & (
  | { readonly type: 'postpone'; readonly due: number; readonly isRetry: boolean }
  | { readonly type: 'sent'; readonly shown: readonly ShownNotification[] }
  | { readonly type: 'failed' | 'dropped' | 'gone' }
);

/** The newest post of a channel that a device shows in a notification. */
export interface ShownNotification {
  readonly channelId: string;
  readonly postId: number;
}

/** Counts for operators. `sent` and `failed` are those of the last 30 days. */
export interface NotificationCounts {
  /** Owners with at least one choice. */
  readonly subscribers: number;
  readonly devices: number;
  readonly sent: number;
  readonly failed: number;
  /** Notifications in the queue. */
  readonly waiting: number;
}

/** Store of notifications. Writes are serialized across processes. */
export interface NotificationStore {
  notificationSettings(owner: NotificationOwner): Promise<StoredNotificationSettings | null>;
  /** Stores settings. Queued notifications of the owner become due, so that the new settings apply to them. */
  putNotificationSettings(owner: NotificationOwner, settings: NotificationSettings, now: number): Promise<void>;
  notificationChoices(owner: NotificationOwner): Promise<Choice[]>;
  /** Stores a choice. Returns false if the owner has reached MAX_CHOICES. A channel that is "off" is not stored. */
  putNotificationChoice(owner: NotificationOwner, choice: ChoiceToStore): Promise<boolean>;
  /** Deletes all choices, settings, devices and queued notifications of an owner. */
  deleteNotifications(owner: NotificationOwner): Promise<void>;
  /** Records whether the bot may write to a reader. Without access, the target becomes "push" again. */
  setBotAccess(readerId: string, mayWrite: boolean): Promise<void>;

  notificationDevices(owner: NotificationOwner): Promise<StoredDevice[]>;
  notificationDevice(tokenHash: string): Promise<StoredDevice | null>;
  /**
   * Stores a device. The choices of an anonymous device that signs in are merged into the reader's: the reader's own
   * choice of a channel wins. A device whose reader signed out becomes anonymous, and keeps no choices. `now` is unix
   * seconds.
   */
  putNotificationDevice(device: DeviceRegistration, now: number): Promise<StoredDevice>;
  /** Records a visit, at most once a day. */
  touchNotificationDevice(id: string, now: number): Promise<void>;
  /** Returns false if the owner has no such device. */
  deleteNotificationDevice(owner: NotificationOwner, id: string): Promise<boolean>;

  /**
   * Returns the position of the matching. The first call, and the first one after a restore or a reset, stores the
   * current end of the event log, and `now` (unix seconds) as the time of `notificationsNotBefore`.
   */
  matchPosition(now: number): Promise<MatchPosition>;
  /**
   * Skips to an event. Returns false if the stored position is no longer `from`, because another process has moved it.
   */
  skipToEvent(from: MatchPosition, eventId: number): Promise<boolean>;
  /**
   * Queues a new post for the next page of choices that match it, and moves the position, in one transaction. A post
   * of which a message was matched before is skipped. Returns the next position, or null if the stored position is no
   * longer `from`.
   */
  matchPost(from: MatchPosition, post: PostToMatch, limit: number): Promise<MatchPosition | null>;
  /** Returns the unix seconds before which posts are never matched; see `matchPosition`. */
  notificationsNotBefore(): Promise<number>;
  /** Clears the queue and the position, while notifications are turned off. */
  resetNotifications(): Promise<void>;

  /** Queues a test for a recipient. `now` is unix ms. */
  queueTest(recipient: { id: string; owner: NotificationOwner; target: 'push' | 'bot' }, now: number): Promise<void>;
  /**
   * Queues that posts were read, for the reader's other devices that show a notification of one of them. Removes
   * queued notifications of these posts. Returns false if there was none of either. `now` is unix ms.
   */
  queueRead(readerId: string, read: ShownNotification, exceptTokenHash: string | null, now: number): Promise<boolean>;
  /**
   * Claims the due notifications of at most `limit` recipients until a time (unix ms). Notifications whose sending began
   * in a process that ended are removed, because it is unknown whether they were sent.
   */
  claimNotifications(
    target: 'push' | 'bot',
    options: { readonly now: number; readonly until: number; readonly limit: number },
  ): Promise<NotificationClaim | null>;
  /**
   * Records that the sending of all items of these recipients begins. Returns the recipients whose items the claim still
   * holds.
   */
  beginSending(claimId: string, recipients: readonly string[]): Promise<string[]>;
  /** Records results of a claim. Items that the claim no longer holds do not change. `now` is unix seconds. */
  finishSending(claimId: string, results: readonly NotificationResult[], now: number): Promise<void>;
  /** Returns when the next notification is due, in unix ms; null if none is queued. */
  nextNotificationDue(target: 'push' | 'bot'): Promise<number | null>;
  notificationCounts(now: number): Promise<NotificationCounts>;
}
