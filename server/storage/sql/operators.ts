// Audit log and site keys: SQL of operators' audit events and of the keys for third-party sites.

import { AUDIT_ACTIONS, type AuditEntry } from '../../../contract/operator.ts';
import type { AuditLogQuery, NewAuditEntry } from '../ports/audit-log.ts';
import type { SiteKeyStore, StoredSiteKey } from '../ports/store.ts';
import type { Engine } from './engine.ts';
import {
  execute,
  executeAndCount,
  inParallel,
  integer,
  jsonListOf,
  type Operation,
  optionalField,
  queryAll,
  type Row,
  text,
  textOrNull,
} from './statements.ts';

/** Inserts an audit event, inside a transaction. `retention.ts` deletes events older than a year. */
export function* writeAuditEntry(entry: NewAuditEntry): Operation<void> {
  yield* execute(
    'INSERT INTO acts (at, actor, act, channel, title, detail) VALUES (?, ?, ?, ?, ?, ?)',
    entry.at,
    entry.actorId,
    entry.act,
    entry.channelId ?? null,
    entry.channelTitle ?? null,
    entry.detail ?? null,
  );
}

function* withAuditEntries<T>(operation: Operation<T>, entries: readonly NewAuditEntry[]): Operation<T> {
  const result = yield* operation;
  if (result !== false) for (const entry of entries) yield* writeAuditEntry(entry);
  return result;
}

/** Returns an engine whose first write also stores audit events. See `Store.withAuditEntries`. */
export const createAuditingEngine = (engine: Engine, entries: readonly NewAuditEntry[]): Engine => {
  let pending = entries;
  return {
    ...engine,
    async write(operation, readerId) {
      const entriesToStore = pending;
      pending = [];
      try {
        return await engine.write(withAuditEntries(operation, entriesToStore), readerId);
      } catch (error) {
        // The write was rolled back and may be retried.
        pending = entriesToStore;
        throw error;
      }
    },
  };
};

const isAuditAction = (value: string): value is AuditEntry['act'] => AUDIT_ACTIONS.some((action) => action === value);

const auditEntriesOf = (row: Row): AuditEntry[] => {
  const act = text(row, 'act');
  if (!isAuditAction(act)) return [];
  return [
    {
      id: integer(row, 'id'),
      at: integer(row, 'at'),
      actor: { id: text(row, 'actor'), ...optionalField('name', textOrNull(row, 'name')) },
      act,
      ...optionalField('channelId', textOrNull(row, 'channel')),
      ...optionalField('channelTitle', textOrNull(row, 'title')),
      ...optionalField('detail', textOrNull(row, 'detail')),
    },
  ];
};

/** Lists audit events, newest first. */
export function* readAuditEntries({ before, limit, channelIds }: AuditLogQuery): Operation<AuditEntry[]> {
  return (yield* queryAll(
    `SELECT a.*, r.name FROM acts a LEFT JOIN readers r ON r.id = a.actor
       WHERE a.id < ? AND (CAST(? AS TEXT) IS NULL OR a.channel IN (SELECT value FROM json_each(?))) ORDER BY a.id DESC LIMIT ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    ...channelFilterValues(channelIds),
    limit,
  )).flatMap(auditEntriesOf);
}

/** Returns the values of the two placeholders of the channel filter. Two nulls mean all channels. */
const channelFilterValues = (ids: readonly string[] | undefined): [string | null, string | null] => {
  const json = ids === undefined ? null : jsonListOf(ids);
  return [json, json];
};

function* writeSiteKey({ id, origin, channels, at }: StoredSiteKey): Operation<void> {
  yield* execute('DELETE FROM site_keys WHERE NOT EXISTS (SELECT 1 FROM site_key_channels WHERE key = site_keys.id)');
  yield* execute('INSERT INTO site_keys (id, origin, at) VALUES (?, ?, ?)', id, origin, at);
  for (const channel of channels) yield* execute('INSERT INTO site_key_channels (key, channel) VALUES (?, ?)', id, channel);
}

function* readSiteKey(row: Row): Operation<StoredSiteKey[]> {
  const id = text(row, 'id');
  const channelRows = yield* queryAll('SELECT channel FROM site_key_channels WHERE key = ? ORDER BY channel', id);
  const channels = channelRows.map((channelRow) => text(channelRow, 'channel'));
  return channels.length === 0 ? [] : [{ id, origin: text(row, 'origin'), channels, at: integer(row, 'at') }];
}

function* readSiteKeys(sql: string, ...values: string[]): Operation<StoredSiteKey[]> {
  return (yield* inParallel((yield* queryAll(sql, ...values)).map(readSiteKey))).flat();
}

/** Site key methods of the store. */
export const createSiteKeyStore = ({ read, write }: Engine): SiteKeyStore => ({
  putSiteKey: (key) => write(writeSiteKey(key)),
  siteKey: async (id) => (await read(readSiteKeys('SELECT * FROM site_keys WHERE id = ?', id)))[0] ?? null,
  siteKeys: () => read(readSiteKeys('SELECT * FROM site_keys ORDER BY at DESC, id')),
  deleteSiteKey: async (id) => (await write(executeAndCount('DELETE FROM site_keys WHERE id = ?', id))) > 0,
});
