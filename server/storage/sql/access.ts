import type { PostChannel } from '../../domain/assemble-post.ts';
import type { Audience } from '../../domain/model.ts';
import { parsePins } from '../../domain/pins.ts';
import { all, integer, listOf, type Row, text, textOrNull, type Work } from './statements.ts';

const postChannel = (row: Row): PostChannel => ({
  id: text(row, 'id'),
  username: textOrNull(row, 'username'),
  feed: row.source === 'feed',
  demo: integer(row, 'demo') === 1,
  pins: parsePins(text(row, 'pins')),
});

/** Tells whether a channel's row may be read; every read of the store asks this and nothing else. */
export const mayRead = (row: Row, audience: Audience): boolean =>
  row.withdrawn === 0 &&
  (row.private === 0 || audience.privateChannels === 'all' || audience.privateChannels.includes(text(row, 'id')));

const COLUMNS = 'id, username, source, demo, private, withdrawn, pins';

/** The channels that an audience has no posts of in the directory: the others', the withdrawn, and all from elsewhere. */
export function* closedTo(audience: Audience): Work<string[]> {
  const rows = yield* all(`SELECT ${COLUMNS}, elsewhere FROM channels WHERE elsewhere = 1 OR withdrawn = 1 OR private = 1`);
  return rows.filter((row) => row.elsewhere === 1 || !mayRead(row, audience)).map((row) => text(row, 'id'));
}

/** The rows of channels, in the order in which they are named; of several in one statement. */
function* named(ids: readonly string[]): Work<Row[]> {
  const [id, ...others] = ids;
  const rows =
    id === undefined || others.length > 0
      ? yield* all(`SELECT ${COLUMNS} FROM channels WHERE id IN (SELECT value FROM json_each(?))`, listOf(ids))
      : yield* all(`SELECT ${COLUMNS} FROM channels WHERE id = ?`, id);
  const found = new Map(rows.map((row) => [text(row, 'id'), row]));
  return ids.map((each) => found.get(each)).filter((row) => row !== undefined);
}

/** The channels that an audience may read posts of: of those asked for, in their order, else of the directory. */
export function* readable(audience: Audience, asked?: readonly string[]): Work<Map<string, PostChannel>> {
  const rows = asked ? yield* named(asked) : yield* all(`SELECT ${COLUMNS} FROM channels WHERE elsewhere = 0`);
  return new Map(rows.filter((row) => mayRead(row, audience)).map((row) => [text(row, 'id'), postChannel(row)]));
}
