import { ACTS, type Act } from '../../../contract/operator.ts';
import type { ActsQuery, NewAct } from '../ports/audit-log.ts';
import { all, type Engine, integer, listOf, present, type Row, run, text, textOrNull, type Work } from './statements.ts';

/** Writes an act down, inside a transaction; retention.ts drops those older than a year. */
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

/** An engine whose first write also writes acts; see Store.withActs. */
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
        // It was not written, and may be tried again.
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

/** Lists acts, the newest first. */
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
