// Audit log port of the store: audit events of operators.

import type { AuditEntry } from '../../../contract/operator.ts';

/**
 * An audit event to store. `actorId` is the reader who did it, `telegram` if Telegram reported it, or `import` for the
 * command of that name. `at` is unix seconds.
 */
export interface NewAuditEntry extends Omit<AuditEntry, 'id' | 'actor'> {
  readonly actorId: string;
}

export interface AuditLogQuery {
  /** Only events with a lower id. */
  readonly before?: number;
  readonly limit: number;
  /** Only events of these channels. If absent, all events. */
  readonly channelIds?: readonly string[];
}

/**
 * Operators' actions of the last year. Names of actors are looked up when the list is read, and are not stored in it:
 * of a deleted reader only the id remains.
 */
export interface AuditLogStore {
  appendAuditEntry(entry: NewAuditEntry): Promise<void>;
  /** Lists events, newest first. */
  auditEntries(query: AuditLogQuery): Promise<AuditEntry[]>;
}
