/** Event frames: serialize the events of the stream for members and for all other clients. */
import type { Channel } from '../../contract/channel.ts';
import type { LiveEvent } from '../../contract/events.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import { FULL_ACCESS } from '../domain/model.ts';
import { serializePosts } from '../posts/serialize.ts';
import type { Store, StoredEvent } from '../storage/ports/store.ts';
import type { EventIdCodec } from './event-ids.ts';

/** Services that this module uses. */
export type EventFrameDeps = SerializeDeps & {
  readonly store: Pick<Store, 'channel' | 'externalChannelIds' | 'post' | 'publicChannelIds'>;
};

/**
 * Serialized event, written once in two forms: for clients that may read a private channel, and for all others. An
 * event of a reader-added channel is only for clients that named the channel.
 */
export interface EventFrame {
  readonly number: number;
  readonly channelId: string;
  readonly external: boolean;
  readonly forMembers: Buffer | null;
  readonly forOthers: Buffer | null;
}

/** Creates the payload of an event from the current content of the store. */
export interface FrameEncoder {
  /** Serializes several events in order. Events of one post or channel with the same payload are merged. */
  encodeFrames(events: readonly StoredEvent[]): Promise<EventFrame[]>;
  /** Clears the cache of payloads, which clients that missed the same events share: the data has changed. */
  clearCache(): void;
  /**
   * Tracks which channels are public, so that all clients are notified when one becomes private. Call it once for each
   * event, in order.
   */
  trackVisibility(events: readonly StoredEvent[]): Promise<void>;
}

/** Serializes an event of the stream. */
export const encodeFrame = (ids: EventIdCodec, number: number, event: LiveEvent): Buffer =>
  Buffer.from(`id: ${ids.encode(number)}\ndata: ${JSON.stringify(event)}\n\n`);

/** Serializes a heartbeat: a comment that shows that the stream is alive, and the client's position. */
export const encodeHeartbeat = (ids: EventIdCodec, number: number): Buffer => Buffer.from(`:\nid: ${ids.encode(number)}\n\n`);

/** Creates the encoder, with the channels that are public or reader-added now. */
export async function createFrameEncoder(deps: EventFrameDeps, ids: EventIdCodec): Promise<FrameEncoder> {
  const { store } = deps;
  /** Reader-added channels, deleted ones too: only clients that named a channel are notified of its deletion. */
  const externalIds = new Set(await store.externalChannelIds());
  const publicIds = new Set(await store.publicChannelIds());
  /** Number of the event by which a channel became private, by channel id. */
  const becamePrivateAt = new Map<string, number>();
  /** Frames by event number. After a restart, hundreds of clients resume at the same position. */
  const frameCache = new Map<number, Promise<EventFrame | null>>();

  async function loadPayload({ kind, channelId, messageId }: StoredEvent, channel: Channel): Promise<LiveEvent | null> {
    if (kind === 'refresh') return { type: 'refresh', channelId };
    const serialized = serializeChannels([channel], deps)[0] ?? channel;
    if (kind === 'channel') return { type: 'channel', channel: serialized };
    if (messageId === null) return null;
    if (kind === 'hidden') return { type: 'hidden', channelId, id: messageId };
    // Uses the read permissions of a client that may read this channel and no other private one: all its readers get
    // the same payload.
    const storedPost = await store.post(channelId, messageId, { privateChannels: channel.private ? [channelId] : [] });
    const post = storedPost && serializePosts([storedPost], [channel], deps)[0];
    return post ? { type: kind, post, channel: serialized } : null;
  }
  async function createFrame(event: StoredEvent): Promise<EventFrame | null> {
    const { id: number, channelId } = event;
    const channel = await store.channel(channelId, FULL_ACCESS);
    const encodeHidden = () => encodeFrame(ids, number, { type: 'hidden', channelId });
    const forOthers = becamePrivateAt.get(channelId) === number ? encodeHidden() : null;
    const target = { number, channelId, external: channel ? channel.elsewhere === true : externalIds.has(channelId) };
    if (channel?.id !== channelId) return { ...target, forOthers, forMembers: forOthers ?? encodeHidden() };
    const payload = await loadPayload(event, channel);
    if (payload === null) return forOthers && { ...target, forOthers, forMembers: null };
    const forMembers = encodeFrame(ids, number, payload);
    return { ...target, forMembers, forOthers: channel.private ? forOthers : forMembers };
  }

  function createFrameOnce(event: StoredEvent): Promise<EventFrame | null> {
    const frame = frameCache.get(event.id) ?? createFrame(event);
    frameCache.set(event.id, frame);
    return frame;
  }

  return {
    clearCache: () => frameCache.clear(),
    async encodeFrames(events) {
      const frames = await Promise.all(collapseEvents(events).map(createFrameOnce));
      return frames.filter((frame) => frame !== null);
    },
    async trackVisibility(events) {
      for (const { id, channelId, messageId } of events) {
        if (messageId !== null) continue;
        const channel = await store.channel(channelId, FULL_ACCESS);
        const isPublic = channel?.private === false;
        if (channel?.elsewhere) externalIds.add(channelId);
        else if (channel) externalIds.delete(channelId);
        if (isPublic) becamePrivateAt.delete(channelId);
        else if (publicIds.has(channelId)) becamePrivateAt.set(channelId, id);
        if (isPublic) publicIds.add(channelId);
        else publicIds.delete(channelId);
      }
    },
  };
}

/**
 * Merges events. A payload is read when it is sent, so a post's first event also contains its later edits, until the
 * post is hidden.
 */
function collapseEvents(events: readonly StoredEvent[]): StoredEvent[] {
  const pending = new Set<string>();
  return events.filter(({ kind, channelId, messageId }) => {
    const key = messageId === null ? `${channelId} ${kind}` : `${channelId}/${messageId}`;
    if (kind === 'hidden') return pending.delete(key) || true;
    if (pending.has(key)) return false;
    pending.add(key);
    return true;
  });
}
