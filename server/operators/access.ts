import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reader } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { requireReader } from '../auth/identity.ts';
import type { Audience } from '../domain/model.ts';
import { notFound, Refusal } from '../http/errors.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type OperatorAccessDeps = {
  readonly store: Pick<Store, 'channel' | 'channels'>;
  readonly administered: (readerId: string) => Promise<readonly string[]>;
};

/** What an operator may see of the channels that he operates: all. */
export const EVERYTHING: Audience = { privateChannels: 'all' };

/** Who operates, and what: every channel for an operator of the site, else those that he administers. */
export interface Operating {
  readonly reader: Reader;
  readonly channels: readonly Channel[];
}

/** Finds what who asks operates, or 401; 403 where it is nothing. */
export async function requireOperating(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: OperatorAccessDeps,
): Promise<Operating> {
  const reader = requireReader(request, reply);
  const channels = await deps.store.channels(EVERYTHING);
  if (reader.operator) return { reader, channels };
  const administered = new Set(await deps.administered(reader.id));
  const own = channels.filter((channel) => administered.has(channel.id));
  if (own.length === 0) throw refusal();
  return { reader, channels: own };
}

/** Finds a channel that who asks operates, or 401, 403, and for an operator of the site 404: whether a channel is there is not told to others. */
export async function requireOperated(
  idOrUsername: string,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: OperatorAccessDeps,
): Promise<{ readonly reader: Reader; readonly channel: Channel }> {
  const { reader, channels } = await requireOperating(request, reply, deps);
  const asked = await deps.store.channel(idOrUsername, EVERYTHING);
  const channel = channels.find(({ id }) => id === asked?.id);
  if (channel !== undefined) return { reader, channel };
  throw reader.operator ? notFound(`The channel ${idOrUsername}`) : refusal();
}

/** Finds the channel that was asked for, or all that who asks operates; refuses as the two above do. */
export async function operatedChannels(
  asked: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: OperatorAccessDeps,
): Promise<readonly Channel[]> {
  if (asked === undefined) return (await requireOperating(request, reply, deps)).channels;
  return [(await requireOperated(asked, request, reply, deps)).channel];
}

/** What is said to who operates no such thing. */
export const refusal = (): Refusal =>
  new Refusal(403, 'Only an operator of this site or an administrator of the channel may do this.');
