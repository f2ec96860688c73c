import { isDue, makeDue, visitSome } from '../../storage/sql/due.ts';
import { bodyOf, rowsOfPost, writeWords } from '../../storage/sql/post-index.ts';
import { integer, type Row, run, text, textOrNull, type Work } from '../../storage/sql/statements.ts';

/** The fact that a migration leaves where what posts are found by is to be made anew. */
const FACT = 'words-to-remake';

/** Returns whether a migration says that what posts are found by is to be made anew. */
export const areWordsDue = (): Work<boolean> => isDue(FACT);

function* remakeOf(head: Row): Work<void> {
  const [key, channel, message] = [integer(head, 'id'), text(head, 'channel'), integer(head, 'message')];
  const members = yield* rowsOfPost(channel, message, textOrNull(head, 'album'));
  yield* writeWords(channel, key, members.map(bodyOf));
}

/** Makes anew what the next posts after a row are found by, where none of it is stored; returns the last one's row, null after the end. */
export const remakeSome = (after: number): Work<number | null> => visitSome(after, remakeOf);

/**
 * Makes anew what every post is found by, where it is due: in one transaction, after all migrations, so that it always meets the
 * tables that it knows; `clear` empties the engine's index. 100,000 posts of 500 bytes take up to a minute, and nothing else can be
 * written meanwhile.
 */
export const remakeWords = (clear: string): Work<void> =>
  makeDue(FACT, remakeSome, function* () {
    yield* run(clear);
    yield* run('DELETE FROM spellings');
  });
