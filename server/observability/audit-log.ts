import type { Reader } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Act } from '../../contract/operator.ts';
import type { NewAct } from '../storage/ports/audit-log.ts';

/** Services that this module uses. */
export type AuditDeps = {
  readonly now: () => number;
};

type ActedOn = Pick<Channel, 'id' | 'title'>;

const ofChannel = (channel: ActedOn | undefined) => channel && { channelId: channel.id, channelTitle: channel.title };

interface Details {
  readonly channel?: ActedOn;
  readonly detail?: string;
}

/** Audit log: creates the record of a reader's action on a channel or on the whole site, for `store.withActs`. */
export const actOf = (
  { now }: AuditDeps,
  reader: Pick<Reader, 'id'>,
  act: Act['act'],
  { channel, detail }: Details = {},
): NewAct => ({
  ...{ at: Math.floor(now() / 1000), actorId: reader.id, act, ...ofChannel(channel) },
  ...(detail !== undefined && { detail }),
});

/**
 * Creates the audit record of an action by `npm run import`. Its user has command line access to the server; no reader is known.
 */
export const actOfCommand = (act: Act['act'], channel?: ActedOn): NewAct => ({
  at: Math.floor(Date.now() / 1000),
  actorId: 'import',
  act,
  ...ofChannel(channel),
});
