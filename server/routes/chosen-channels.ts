import type { Channel } from '../../contract/channel.ts';
import type { Context } from '../context.ts';
import { notFound } from '../problems.ts';
import type { Audience } from '../store/store.ts';

/**
 * The channels of a list such as `cityweather,1234567`. One that is gone, or private, is left out, so that an embed over
 * several survives it: the answer's own `channels` say which are there. None at all is 404.
 */
export async function chooseChannels(asked: string, audience: Audience, context: Context): Promise<Channel[]> {
  const names = [...new Set(asked.split(',').map((name) => name.trim().replace(/^@/, '')))].filter((name) => name !== '');
  const found = await Promise.all(names.slice(0, 200).map((name) => context.store.channel(name, audience)));
  const channels = new Map(found.filter((channel) => channel !== null).map((channel) => [channel.id, channel]));
  if (channels.size === 0) throw notFound(`None of the channels ${asked}`);
  return [...channels.values()];
}
