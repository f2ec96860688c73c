import type { Channel } from '../../contract/channel.ts';
import type { Audience } from '../domain/model.ts';
import { notFound, Refusal } from '../http/errors.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type FindChannelDeps = {
  readonly store: Pick<Store, 'channel' | 'channelsNamed' | 'noteAsked'>;
  readonly now: () => number;
};

const MOST = 200;

/** The names in a list such as `cityweather,1234567`, asked for as `field`. */
export function namesIn(field: string, asked: string): string[] {
  const names = new Set(asked.split(',').map((name) => name.trim().replace(/^@/, '')));
  names.delete('');
  if (names.size > MOST)
    throw new Refusal(400, `${field} names ${names.size} channels; at most ${MOST} can be asked for at once.`);
  return [...names];
}

/**
 * The channels of a list such as `cityweather,1234567`. One that is gone, or private, is left out, so that an embed over
 * several survives it: the answer's own `channels` say which are there. None at all is 404.
 */
export async function chooseChannels(asked: string, audience: Audience, deps: FindChannelDeps): Promise<Channel[]> {
  const channels = await deps.store.channelsNamed(namesIn('channels', asked), audience);
  if (channels.length === 0) throw new Refusal(404, `None of these channels is here: ${asked.slice(0, 80)}.`);
  await noteAsked(channels, deps);
  return channels;
}

/** Takes note that somebody named channels: those from elsewhere stay as long as somebody does. */
export async function noteAsked(channels: readonly Channel[], { store, now }: FindChannelDeps): Promise<void> {
  const ids = channels.filter((channel) => channel.elsewhere === true).map((channel) => channel.id);
  if (ids.length > 0) await store.noteAsked(ids, Math.floor(now() / 1000));
}

/** The channel of an id or username, or 404; a private one is not there for those who may not read it. */
export async function findChannel(idOrUsername: string, audience: Audience, deps: FindChannelDeps): Promise<Channel> {
  const channel = await deps.store.channel(idOrUsername.replace(/^@/, ''), audience);
  if (channel === null) throw notFound(`The channel ${idOrUsername}`);
  await noteAsked([channel], deps);
  return channel;
}
