import { bodyOf, rowsOfPost, writeWords } from './settle.ts';
import { all, get, integer, type Row, run, text, textOrNull, together, type Work } from './work.ts';

const STEP = 500;

/** The fact that a migration leaves where what posts are found by is to be made anew. */
const DUE = "SELECT 1 FROM facts WHERE name = 'words-to-remake'";

/** Tells whether a migration says that what posts are found by is to be made anew. */
export function* areWordsDue(): Work<boolean> {
  return (yield* get(DUE)) !== undefined;
}

function* remakeOf(row: Row): Work<void> {
  const [key, channel, message] = [integer(row, 'id'), text(row, 'channel'), integer(row, 'message')];
  const members = yield* rowsOfPost(channel, message, textOrNull(row, 'album'));
  yield* writeWords(channel, key, members.map(bodyOf));
}

/** Makes anew what the next posts after a row are found by, which is not said yet; gives the last one's row, null after the end. */
export function* remakeSome(after: number): Work<number | null> {
  const heads = yield* all(
    'SELECT id, channel, message, album FROM messages WHERE id > ? AND head = 1 ORDER BY id LIMIT ?',
    ...[after, STEP],
  );
  yield* together(heads.map(remakeOf));
  const last = heads.at(-1);
  return last === undefined ? null : integer(last, 'id');
}

/**
 * Makes anew what every post is found by, where it is due: in one transaction, after all migrations, so that it always meets the
 * tables that it knows; `clear` empties the engine's index. 100,000 posts of 500 bytes take up to a minute, and nothing else can be
 * written meanwhile.
 */
export function* remakeWords(clear: string): Work<void> {
  // Another process may have made them while this one waited for the lock.
  if (!(yield* areWordsDue())) return;
  yield* run(clear);
  yield* run('DELETE FROM spellings');
  for (let last: number | null = -1; last !== null; ) last = yield* remakeSome(last);
  yield* run("DELETE FROM facts WHERE name = 'words-to-remake'");
}
