// Audit log and site keys: SQL of operators' audit events and of the keys for third-party sites.

import { ACTS, type Act } from '../../../contract/operator.ts';
import type { ActsQuery, NewAct } from '../ports/audit-log.ts';
import type { SiteKey, SiteKeyStore } from '../ports/store.ts';
import type { Engine } from './engine.ts';
import { all, integer, listOf, present, type Row, run, text, textOrNull, together, type Work } from './statements.ts';

/** Inserts an audit event, inside a transaction. `retention.ts` deletes events older than a year. */
export function* writeAct(act: NewAct): Work<void> {
  yield* run(
    'INSERT INTO acts (at, actor, act, channel, title, detail) VALUES (?, ?, ?, ?, ?, ?)',
    act.at,
    act.actorId,
    act.act,
    act.channelId ?? null,
    act.channelTitle ?? null,
    act.detail ?? null,
  );
}

function* withActs<T>(work: Work<T>, acts: readonly NewAct[]): Work<T> {
  const result = yield* work;
  if (result !== false) for (const act of acts) yield* writeAct(act);
  return result;
}

/** Returns an engine whose first write also stores audit events. See `Store.withActs`. */
export const actingEngine = (engine: Engine, acts: readonly NewAct[]): Engine => {
  let left = acts;
  return {
    ...engine,
    async write(work, readerId) {
      const first = left;
      left = [];
      try {
        return await engine.write(withActs(work, first), readerId);
      } catch (error) {
        // The write was rolled back and may be retried.
        left = first;
        throw error;
      }
    },
  };
};

const isAct = (word: string): word is Act['act'] => ACTS.some((each) => each === word);

const actOf = (row: Row): Act[] => {
  const act = text(row, 'act');
  if (!isAct(act)) return [];
  return [
    {
      id: integer(row, 'id'),
      at: integer(row, 'at'),
      actor: { id: text(row, 'actor'), ...present('name', textOrNull(row, 'name')) },
      act,
      ...present('channelId', textOrNull(row, 'channel')),
      ...present('channelTitle', textOrNull(row, 'title')),
      ...present('detail', textOrNull(row, 'detail')),
    },
  ];
};

/** Lists audit events, newest first. */
export function* readActs({ before, limit, channelIds }: ActsQuery): Work<Act[]> {
  return (yield* all(
    `SELECT a.*, r.name FROM acts a LEFT JOIN readers r ON r.id = a.actor
       WHERE a.id < ? AND (CAST(? AS TEXT) IS NULL OR a.channel IN (SELECT value FROM json_each(?))) ORDER BY a.id DESC LIMIT ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    ...channels(channelIds),
    limit,
  )).flatMap(actOf);
}

const channels = (ids: readonly string[] | undefined): [string | null, string | null] => {
  const json = ids === undefined ? null : listOf(ids);
  return [json, json];
};

function* writeSiteKey({ id, origin, channels, at }: SiteKey): Work<void> {
  yield* run('DELETE FROM site_keys WHERE NOT EXISTS (SELECT 1 FROM site_key_channels WHERE key = site_keys.id)');
  yield* run('INSERT INTO site_keys (id, origin, at) VALUES (?, ?, ?)', id, origin, at);
  for (const channel of channels) yield* run('INSERT INTO site_key_channels (key, channel) VALUES (?, ?)', id, channel);
}

function* readSiteKey(row: Row): Work<SiteKey[]> {
  const id = text(row, 'id');
  const channels = (yield* all('SELECT channel FROM site_key_channels WHERE key = ? ORDER BY channel', id)).map((each) =>
    text(each, 'channel'),
  );
  return channels.length === 0 ? [] : [{ id, origin: text(row, 'origin'), channels, at: integer(row, 'at') }];
}

function* readSiteKeys(sql: string, ...values: string[]): Work<SiteKey[]> {
  return (yield* together((yield* all(sql, ...values)).map(readSiteKey))).flat();
}

/** Site key methods of the store. */
export const siteKeyStore = ({ read, write }: Engine): SiteKeyStore => ({
  putSiteKey: (key) => write(writeSiteKey(key)),
  siteKey: async (id) => (await read(readSiteKeys('SELECT * FROM site_keys WHERE id = ?', id)))[0] ?? null,
  siteKeys: () => read(readSiteKeys('SELECT * FROM site_keys ORDER BY at DESC, id')),
  dropSiteKey: async (id) => (await write(run('DELETE FROM site_keys WHERE id = ?', id))) > 0,
});
