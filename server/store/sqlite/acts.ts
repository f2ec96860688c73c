import { ACTS, type Act } from '../../../contract/operator.ts';
import type { ActsQuery, NewAct } from '../acts.ts';
import { type Database, integer, present, type Row, text } from './database.ts';

const YEAR = 365 * 86_400;

/** Writes an act down, inside a transaction; those older than a year go. */
export const writeAct = (database: Database, act: NewAct): void => {
  database.sql('DELETE FROM acts WHERE at < ?').run(act.at - YEAR);
  database
    .sql('INSERT INTO acts (at, actor, act, channel, title, detail) VALUES (?, ?, ?, ?, ?, ?)')
    .run(act.at, act.actorId, act.act, act.channelId ?? null, act.channelTitle ?? null, act.detail ?? null);
};

const isAct = (word: string): word is Act['act'] => ACTS.some((each) => each === word);

const column = (row: Row, name: string): string | null => (row[name] === null ? null : text(row, name));

const actOf = (row: Row): Act[] => {
  const act = text(row, 'act');
  if (!isAct(act)) return [];
  return [
    {
      id: integer(row, 'id'),
      at: integer(row, 'at'),
      actor: { id: text(row, 'actor'), ...present('name', column(row, 'name')) },
      act,
      ...present('channelId', column(row, 'channel')),
      ...present('channelTitle', column(row, 'title')),
      ...present('detail', column(row, 'detail')),
    },
  ];
};

/** Lists acts, the newest first. */
export const readActs = (database: Database, { before, limit, channelIds }: ActsQuery): Act[] =>
  database
    .sql(
      `SELECT a.*, r.name FROM acts a LEFT JOIN readers r ON r.id = a.actor
       WHERE a.id < ? AND (? IS NULL OR a.channel IN (SELECT value FROM json_each(?))) ORDER BY a.id DESC LIMIT ?`,
    )
    .all(before ?? Number.MAX_SAFE_INTEGER, ...channels(channelIds), limit)
    .flatMap(actOf);

const channels = (ids: readonly string[] | undefined): [string | null, string | null] => {
  const json = ids === undefined ? null : JSON.stringify(ids);
  return [json, json];
};
