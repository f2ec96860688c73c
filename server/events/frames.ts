import type { Channel } from '../../contract/channel.ts';
import type { Happening } from '../../contract/events.ts';
import { presentChannels, type SerializeDeps } from '../channels/serialize.ts';
import type { Audience } from '../domain/model.ts';
import { presentPosts } from '../posts/serialize.ts';
import type { LiveEvent, Store } from '../storage/ports/store.ts';
import type { EventIds } from './event-ids.ts';

/** Services that this module uses. */
export type EventFrameDeps = SerializeDeps & {
  readonly store: Pick<Store, 'channel' | 'channels' | 'elsewhere' | 'post'>;
};

/**
 * An event as it is sent, written once: to those who may read a private channel, and to everyone else. One of a channel from
 * elsewhere is for those who name the channel.
 */
export interface Telling {
  readonly number: number;
  readonly channelId: string;
  readonly elsewhere: boolean;
  readonly members: Buffer | null;
  readonly others: Buffer | null;
}

const ALL: Audience = { privateChannels: 'all' };

/** Makes what is sent of an event out of what the store holds now. */
export interface Tellings {
  /** Several events in order; those of one post or channel that tell the same are told once. */
  of(events: readonly LiveEvent[]): Promise<Telling[]>;
  /** Lets go of what was written for others who missed the same: something changed since. */
  forget(): void;
  /** Follows which channels anyone may read, so that everyone hears of one that closes. Call it for each event, once, in order. */
  note(events: readonly LiveEvent[]): Promise<void>;
}

/** Writes an event of the stream. */
export const write = (ids: EventIds, number: number, happening: Happening): Buffer =>
  Buffer.from(`id: ${ids.seal(number)}\ndata: ${JSON.stringify(happening)}\n\n`);

export async function openTellings(deps: EventFrameDeps, ids: EventIds): Promise<Tellings> {
  const { store } = deps;
  /** Those from elsewhere, gone ones too: that they went is told to nobody else. */
  const elsewhere = new Set(await store.elsewhere());
  const open = new Set((await store.channels({ privateChannels: [] }, [...elsewhere])).map(({ id }) => id));
  /** The event by which a channel closed to everyone. */
  const closed = new Map<string, number>();
  /** After a restart hundreds resume at one place. */
  const written = new Map<number, Promise<Telling | null>>();

  async function happeningOf({ kind, channelId, messageId }: LiveEvent, channel: Channel): Promise<Happening | null> {
    if (kind === 'refresh') return { type: 'refresh', channelId };
    const presented = presentChannels([channel], deps)[0] ?? channel;
    if (kind === 'channel') return { type: 'channel', channel: presented };
    if (messageId === null) return null;
    if (kind === 'hidden') return { type: 'hidden', channelId, id: messageId };
    // With the eyes of those who read this channel and no other private one: they all get the same.
    const found = await store.post(channelId, messageId, { privateChannels: channel.private ? [channelId] : [] });
    const post = found && presentPosts([found], [channel], deps)[0];
    return post ? { type: kind, post, channel: presented } : null;
  }
  async function telling(event: LiveEvent): Promise<Telling | null> {
    const { id: number, channelId } = event;
    const channel = await store.channel(channelId, ALL);
    const left = () => write(ids, number, { type: 'hidden', channelId });
    const others = closed.get(channelId) === number ? left() : null;
    const what = { number, channelId, elsewhere: channel ? channel.elsewhere === true : elsewhere.has(channelId) };
    if (channel?.id !== channelId) return { ...what, others, members: others ?? left() };
    const happening = await happeningOf(event, channel);
    if (happening === null) return others && { ...what, others, members: null };
    const members = write(ids, number, happening);
    return { ...what, members, others: channel.private ? others : members };
  }

  function writtenOnce(event: LiveEvent): Promise<Telling | null> {
    const made = written.get(event.id) ?? telling(event);
    written.set(event.id, made);
    return made;
  }

  return {
    forget: () => written.clear(),
    async of(events) {
      const told = await Promise.all(collapse(events).map(writtenOnce));
      return told.filter((each) => each !== null);
    },
    async note(events) {
      for (const { id, channelId, messageId } of events) {
        if (messageId !== null) continue;
        const channel = await store.channel(channelId, ALL);
        const isOpen = channel?.private === false;
        if (channel?.elsewhere) elsewhere.add(channelId);
        else if (channel) elsewhere.delete(channelId);
        if (isOpen) closed.delete(channelId);
        else if (open.has(channelId)) closed.set(channelId, id);
        if (isOpen) open.add(channelId);
        else open.delete(channelId);
      }
    },
  };
}

/** What is sent is read when it is sent, so a post's first event tells of its later edits too, until it is hidden. */
function collapse(events: readonly LiveEvent[]): LiveEvent[] {
  const pending = new Set<string>();
  return events.filter(({ kind, channelId, messageId }) => {
    const what = messageId === null ? `${channelId} ${kind}` : `${channelId}/${messageId}`;
    if (kind === 'hidden') return pending.delete(what) || true;
    if (pending.has(what)) return false;
    pending.add(what);
    return true;
  });
}
