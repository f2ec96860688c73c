import type { Channel } from '../../contract/channel.ts';
import { MAX_CHANNELS_PER_REQUEST } from '../../contract/limits.ts';
import type { Post } from '../../contract/post.ts';
import type { AccessScope } from '../domain/model.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type FindChannelDeps = {
  readonly store: Pick<Store, 'channel' | 'channelsNamed' | 'touchExternalChannels'>;
  readonly now: () => number;
};

/** Maximum length, characters, of a list that an error message quotes. */
const MAX_QUOTED_LENGTH = 80;

/**
 * Channel lookup: parses a list such as `cityweather,1234567`. `field` is its name in error messages. Throws 400 if
 * there are too many.
 */
export function parseChannelNames(field: string, list: string): string[] {
  const names = new Set(list.split(',').map((name) => name.trim().replace(/^@/, '')));
  names.delete('');
  if (names.size > MAX_CHANNELS_PER_REQUEST)
    throw new HttpError(
      400,
      `${field} contains ${names.size} channels; the maximum is ${MAX_CHANNELS_PER_REQUEST} for one request.`,
    );
  return [...names];
}

/**
 * Returns the channels of a list such as `cityweather,1234567`. Missing and private channels are omitted, so that an
 * embed over several channels still works; the response's `channels` lists those found. If none is found, throws 404.
 */
export async function resolveChannels(list: string, accessScope: AccessScope, deps: FindChannelDeps): Promise<Channel[]> {
  const channels = await deps.store.channelsNamed(parseChannelNames('channels', list), accessScope);
  if (channels.length === 0) throw new HttpError(404, `None of these channels exists here: ${list.slice(0, MAX_QUOTED_LENGTH)}.`);
  await touchExternalChannels(channels, deps);
  return channels;
}

/** Records that channels were requested: reader-added channels without requests are deleted (`jobs/prune-feeds.ts`). */
export async function touchExternalChannels(channels: readonly Channel[], { store, now }: FindChannelDeps): Promise<void> {
  const ids = channels.filter((channel) => channel.elsewhere === true).map((channel) => channel.id);
  if (ids.length > 0) await store.touchExternalChannels(ids, Math.floor(now() / 1000));
}

/**
 * Returns the channel of an id or username, or throws 404. A caller without permission gets 404 for a private channel
 * too.
 */
export async function findChannel(idOrUsername: string, accessScope: AccessScope, deps: FindChannelDeps): Promise<Channel> {
  return requireChannel(await deps.store.channel(withoutAt(idOrUsername), accessScope), idOrUsername, deps);
}

/** Returns the channel in the same way, and the post that contains a message; null if it does not exist. */
export async function findChannelAndPost(
  { channel: idOrUsername, id }: { readonly channel: string; readonly id: number },
  accessScope: AccessScope,
  deps: FindChannelDeps & { readonly store: Pick<Store, 'channelAndPost'> },
): Promise<{ readonly channel: Channel; readonly post: Post | null }> {
  const { channel, post } = await deps.store.channelAndPost(withoutAt(idOrUsername), id, accessScope);
  return { channel: await requireChannel(channel, idOrUsername, deps), post };
}

async function requireChannel(channel: Channel | null, requestedName: string, deps: FindChannelDeps): Promise<Channel> {
  if (channel === null) throw notFound(`The channel ${requestedName}`);
  await touchExternalChannels([channel], deps);
  return channel;
}

const withoutAt = (name: string): string => name.replace(/^@/, '');
