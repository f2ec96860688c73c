/**
 * Delivery plan: decides what a recipient gets for its due items. Read permissions are checked here, immediately before
 * the sending: of private channels, Telegram is asked again.
 */
import type { Channel } from '../../contract/channel.ts';
import type { PushPayload } from '../../contract/notifications.ts';
import type { SerializeDeps } from '../channels/serialize.ts';
import type { Config } from '../config.ts';
import { FULL_ACCESS } from '../domain/model.ts';
import {
  isAnonymousOwner,
  type NotificationOwner,
  type QueuedNotification,
  type ShownNotification,
  type StoredNotificationSettings,
} from '../storage/ports/notifications.ts';
import type { Store } from '../storage/ports/store.ts';
import { type ChannelNews, createDigestPayload, createPostPayload, createTestPayload, type ReadablePost } from './payload.ts';
import { deliveryTime } from './schedule.ts';

/** Services that this module uses. */
export type PlanDeps = SerializeDeps & {
  readonly config: Pick<Config, 'operatorIds'>;
  readonly store: Pick<Store, 'channel' | 'post'>;
  /** Returns whether a reader is a member of a private channel now. */
  readonly isMember: (channelId: string, readerId: string) => Promise<boolean>;
};

/** A message to send, and the items that it stands for. */
export interface PlannedMessage {
  readonly payload: PushPayload;
  readonly items: readonly QueuedNotification[];
  /** Posts that the recipient shows afterwards. */
  readonly shown: readonly ShownNotification[];
  /** Newest post and number of posts by channel. Empty for other payloads. */
  readonly news: readonly ChannelNews[];
}

/** Plan for the items of a recipient. */
export interface DeliveryPlan {
  readonly messages: readonly PlannedMessage[];
  /** Items to deliver later, with their times in unix ms. */
  readonly postponed: readonly { readonly item: QueuedNotification; readonly due: number }[];
  /** Items without anything to send: the post is hidden or deleted, or the recipient may not read it. */
  readonly dropped: readonly QueuedNotification[];
}

/** Milliseconds after which a notification is late. Late ones are folded into one. */
const MAX_LATENESS_MS = 3_600_000;

/** Creates a function that plans deliveries. Posts are read once per planner, so a planner serves one claim. */
export function createPlanner(deps: PlanDeps) {
  const posts = new Map<string, Promise<ReadablePost | null>>();

  const readPost = ({ channelId, postId }: QueuedNotification): Promise<ReadablePost | null> => {
    const key = `${channelId}/${postId}`;
    const reading = posts.get(key) ?? readStoredPost(channelId, postId, deps);
    posts.set(key, reading);
    return reading;
  };

  const readableItems = async (items: readonly QueuedNotification[], owner: NotificationOwner) => {
    const readable: { item: QueuedNotification; found: ReadablePost }[] = [];
    for (const item of items) {
      const found = await readPost(item);
      if (found !== null && (await mayRead(found.channel, owner, deps))) readable.push({ item, found });
    }
    return readable;
  };

  return async (
    items: readonly QueuedNotification[],
    owner: NotificationOwner,
    settings: StoredNotificationSettings,
    locale: string,
  ): Promise<DeliveryPlan> => {
    const now = deps.now();
    const ofPosts = items.filter(({ kind }) => kind === 'post');
    const times = ofPosts.map((item) => ({ item, due: deliveryTime(settings, item.at, now) }));
    const due = times.filter((time) => time.due <= now).map(({ item }) => item);
    const readable = await readableItems(due, owner);
    const kept = new Set(readable.map(({ item }) => item));
    return {
      messages: [
        ...items.filter(({ kind }) => kind !== 'post').map((item) => planOther(item, locale, now)),
        ...foldPosts(readable, settings, now).map((group) => planPosts(group, locale, deps)),
      ],
      postponed: times.filter((time) => time.due > now),
      dropped: due.filter((item) => !kept.has(item)),
    };
  };
}

async function readStoredPost(channelId: string, postId: number, { store }: PlanDeps): Promise<ReadablePost | null> {
  const [channel, post] = await Promise.all([store.channel(channelId, FULL_ACCESS), store.post(channelId, postId, FULL_ACCESS)]);
  return channel === null || post === null || post.gone !== undefined ? null : { channel, post };
}

/** Returns whether an owner may read a channel now. Anonymous devices never read private channels. */
async function mayRead(channel: Channel, owner: NotificationOwner, { config, isMember }: PlanDeps): Promise<boolean> {
  if (!channel.private) return true;
  if (isAnonymousOwner(owner)) return false;
  return config.operatorIds.has(owner) || isMember(channel.id, owner);
}

type ReadableItem = { readonly item: QueuedNotification; readonly found: ReadablePost };

/**
 * Groups items into messages. Digests are one message. Otherwise, the posts of each channel are one message, and all late
 * ones are one.
 */
function foldPosts(readable: readonly ReadableItem[], { delivery }: StoredNotificationSettings, now: number): ReadableItem[][] {
  if (readable.length === 0) return [];
  if (delivery !== 'immediate') return [[...readable]];
  const isLate = ({ item, found }: ReadableItem): boolean => now - Math.min(item.at, found.post.date * 1000) > MAX_LATENESS_MS;
  const groups = new Map<string, ReadableItem[]>();
  for (const one of readable) {
    // A channel's id is never empty.
    const key = isLate(one) ? '' : one.item.channelId;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** Returns the newest post and the number of posts of each channel, the channel with the newest post first. */
function newsOf(group: readonly ReadableItem[]): ChannelNews[] {
  const byChannel = new Map<string, { newest: ReadablePost; ids: Set<number> }>();
  for (const { found } of group) {
    const known = byChannel.get(found.channel.id);
    const newest = known === undefined || found.post.id > known.newest.post.id ? found : known.newest;
    byChannel.set(found.channel.id, { newest, ids: new Set([...(known?.ids ?? []), found.post.id]) });
  }
  return [...byChannel.values()]
    .map(({ newest, ids }) => ({ ...newest, count: ids.size }))
    .sort((one, other) => other.post.date - one.post.date);
}

function planPosts(group: readonly ReadableItem[], locale: string, deps: PlanDeps): PlannedMessage {
  const news = newsOf(group);
  const [only, ...others] = news;
  const isOfOneChannel = only !== undefined && others.length === 0;
  return {
    payload: isOfOneChannel ? createPostPayload(only, locale, deps) : createDigestPayload(news, locale, deps.now()),
    items: group.map(({ item }) => item),
    shown: isOfOneChannel ? [{ channelId: only.channel.id, postId: only.post.id }] : [],
    news,
  };
}

function planOther(item: QueuedNotification, locale: string, now: number): PlannedMessage {
  const payload: PushPayload =
    item.kind === 'read' ? { type: 'read', channelId: item.channelId, upTo: item.postId } : createTestPayload(locale, now);
  return { payload, items: [item], shown: [], news: [] };
}
