/** Operator access: checks which channels the caller may manage. */
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

/** Read permissions of an operator for the channels that they manage: all. */
export const EVERYTHING: Audience = { privateChannels: 'all' };

/**
 * Caller and the channels that they may manage: every channel for an operator of the site, else those that they administer in
 * Telegram.
 */
export interface Operating {
  readonly reader: Reader;
  readonly channels: readonly Channel[];
}

/** Returns the channels that the caller may manage. Throws 401 without a reader, and 403 if there are none. */
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

/**
 * Returns a channel that the caller may manage. Throws 401 or 403, and 404 for an operator of the site. Other callers do not
 * learn whether the channel exists.
 */
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

/** Returns the requested channel, or all that the caller may manage. Throws as the two functions above. */
export async function operatedChannels(
  asked: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: OperatorAccessDeps,
): Promise<readonly Channel[]> {
  if (asked === undefined) return (await requireOperating(request, reply, deps)).channels;
  return [(await requireOperated(asked, request, reply, deps)).channel];
}

/** Creates the error for a caller who may not manage the channel. */
export const refusal = (): Refusal =>
  new Refusal(403, 'Only an operator of this site or an administrator of the channel may do this.');
