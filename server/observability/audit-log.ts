import type { Reader } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { AuditEntry } from '../../contract/operator.ts';
import type { NewAuditEntry } from '../storage/ports/audit-log.ts';

/** Services that this module uses. */
export type AuditDeps = {
  readonly now: () => number;
};

type AuditedChannel = Pick<Channel, 'id' | 'title'>;

const channelFields = (channel: AuditedChannel | undefined) => channel && { channelId: channel.id, channelTitle: channel.title };

interface AuditDetails {
  readonly channel?: AuditedChannel;
  readonly detail?: string;
}

/**
 * Audit log: creates the record of a reader's action on a channel or on the whole site, for `store.withAuditEntries`.
 */
export const createAuditEntry = (
  { now }: AuditDeps,
  reader: Pick<Reader, 'id'>,
  act: AuditEntry['act'],
  { channel, detail }: AuditDetails = {},
): NewAuditEntry => ({
  ...{ at: Math.floor(now() / 1000), actorId: reader.id, act, ...channelFields(channel) },
  ...(detail !== undefined && { detail }),
});

/**
 * Creates the audit record of an action by `npm run import`. Its user has command line access to the server; no reader
 * is known.
 */
export const createCommandAuditEntry = (act: AuditEntry['act'], channel?: AuditedChannel): NewAuditEntry => ({
  at: Math.floor(Date.now() / 1000),
  actorId: 'import',
  act,
  ...channelFields(channel),
});
