/** Operator access: checks which channels the caller may manage. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reader } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { requireReader } from '../auth/identity.ts';
import { FULL_ACCESS } from '../domain/model.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type OperatorAccessDeps = {
  readonly store: Pick<Store, 'channel' | 'channels' | 'channelsNamed'>;
  readonly administeredChannels: (readerId: string) => Promise<readonly string[]>;
};

/**
 * Caller and the channels that they may manage: every channel for an operator of the site, else those that they
 * administer in Telegram.
 */
export interface OperatorAccess {
  readonly reader: Reader;
  readonly channels: readonly Channel[];
}

/** Returns the channels that the caller may manage. Throws 401 without a reader, and 403 if there are none. */
export async function requireOperatorAccess(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: OperatorAccessDeps,
): Promise<OperatorAccess> {
  const reader = requireReader(request, reply);
  if (reader.operator) return { reader, channels: await deps.store.channels(FULL_ACCESS) };
  const administered = await deps.store.channelsNamed(await deps.administeredChannels(reader.id), FULL_ACCESS);
  const operated = administered.filter((channel) => channel.elsewhere !== true);
  if (operated.length === 0) throw operatorForbidden();
  return { reader, channels: operated };
}

/**
 * Returns a channel that the caller may manage. Throws 401 or 403, and 404 for an operator of the site. Other callers
 * do not learn whether the channel exists.
 */
export async function requireOperatedChannel(
  idOrUsername: string,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: OperatorAccessDeps,
): Promise<{ readonly reader: Reader; readonly channel: Channel }> {
  const reader = requireReader(request, reply);
  const channel = await deps.store.channel(idOrUsername, FULL_ACCESS);
  // A reader-added channel is in no list of an operator.
  if (channel !== null && channel.elsewhere !== true) {
    const mayManage = reader.operator || (await deps.administeredChannels(reader.id)).includes(channel.id);
    if (mayManage) return { reader, channel };
  }
  throw reader.operator ? notFound(`The channel ${idOrUsername}`) : operatorForbidden();
}

/** Returns the requested channel, or all that the caller may manage. Throws as the two functions above. */
export async function requireOperatedChannels(
  idOrUsername: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: OperatorAccessDeps,
): Promise<readonly Channel[]> {
  if (idOrUsername === undefined) return (await requireOperatorAccess(request, reply, deps)).channels;
  return [(await requireOperatedChannel(idOrUsername, request, reply, deps)).channel];
}

/** Creates the error for a caller who may not manage the channel. */
export const operatorForbidden = (): HttpError =>
  new HttpError(403, 'Only an operator of this site or an administrator of the channel may do this.');
