/** Event subscription: one client's stream, its read permissions, and the events that it receives. */
import type { AccessScope } from '../domain/model.ts';
import type { EventFrame } from './frames.ts';
import type { SseStream } from './sse-stream.ts';

/** Read permissions and channels of a subscription. */
export interface SubscriptionScope {
  readonly accessScope: AccessScope;
  /**
   * Channels outside the directory whose events the client receives: those that the request named, and those of the
   * line-up.
   */
  readonly extraChannels: ReadonlySet<string>;
}

/** Subscription of one client, and the event from which it starts. */
export interface SubscriptionRequest extends SubscriptionScope {
  /** Reader or address for which the connection slot is counted. */
  readonly ownerKey: string;
  /** Token of the reader's session; null for an anonymous client. */
  readonly token: string | null;
  /** Loads the current read permissions. Rejects when the session has ended. Null for an anonymous client. */
  readonly refreshAccess: (() => Promise<SubscriptionScope>) | null;
  /** Only events of these channels; null for all. */
  readonly channels: ReadonlySet<string> | null;
  /** Id of the last event that the client received, or how many milliseconds ago it loaded its data. */
  readonly from: { readonly id: string } | { readonly ago: number };
}

/** Subscription with its open stream. */
export interface Subscription extends SubscriptionRequest {
  accessScope: AccessScope;
  extraChannels: ReadonlySet<string>;
  readonly stream: SseStream;
  /** Number of the last event that was sent to it: the position from which it resumes after a disconnection. */
  lastEventNumber: number;
}

const canReadPrivate = ({ privateChannels }: AccessScope, channelId: string): boolean =>
  privateChannels === 'all' || privateChannels.includes(channelId);

/** Returns whether a subscription receives exactly the public events. */
export const isPublicSubscription = ({ refreshAccess, channels, extraChannels }: SubscriptionRequest): boolean =>
  refreshAccess === null && channels === null && extraChannels.size === 0;

/** Returns whether a subscription includes a channel, regardless of its read permissions. */
export const isSubscribedTo = (
  { channels, extraChannels }: SubscriptionRequest,
  { channelId, external }: Pick<EventFrame, 'channelId' | 'external'>,
): boolean => (channels === null ? !external || extraChannels.has(channelId) : channels.has(channelId));

/** Returns the bytes of the events that a subscription may receive. */
export const framesFor = (batch: readonly EventFrame[], subscription: Subscription): Buffer =>
  Buffer.concat(
    batch.flatMap((frame) => {
      const bytes = canReadPrivate(subscription.accessScope, frame.channelId) ? frame.forMembers : frame.forOthers;
      return bytes !== null && isSubscribedTo(subscription, frame) ? bytes : [];
    }),
  );

/** Returns the bytes of the events that every public subscription receives. */
export const publicFrames = (batch: readonly EventFrame[]): Buffer =>
  Buffer.concat(batch.flatMap(({ forOthers, external }) => (external ? [] : (forOthers ?? []))));

/** Returns the private channels to which the client has lost access. */
export const revokedChannels = (previous: AccessScope, current: AccessScope): readonly string[] =>
  previous.privateChannels === 'all' ? [] : previous.privateChannels.filter((id) => !canReadPrivate(current, id));

/** Returns the key under which a reader's connection slots are counted. */
export const readerKey = (readerId: string): string => `reader ${readerId}`;
