import { type Database, integer, text } from './database.ts';
import { bodyOf, rowsOfPost, writeWords } from './settle.ts';

const STEP = 1000;

/** A fact that a migration leaves where what posts are found by is to be made anew. */
const isDue = (database: Database): boolean =>
  database.sql("SELECT 1 FROM facts WHERE name = 'words-to-remake'").get() !== undefined;

/**
 * Makes anew what every post is found by, if a migration says so: in one transaction, after all migrations, so that it always
 * meets the tables that it knows. 100,000 posts of 500 bytes take up to a minute, and nothing else can be written meanwhile.
 */
export const remakeWords = (database: Database): void => {
  if (!isDue(database)) return;
  database.transaction(() => {
    // Another process may have made them while this one waited for the lock.
    if (!isDue(database)) return;
    database.exec("INSERT INTO words (words) VALUES ('delete-all'); DELETE FROM spellings");
    const heads = database.sql('SELECT id, channel, message, album FROM messages WHERE id > ? AND head = 1 ORDER BY id LIMIT ?');
    let last = -1;
    for (let rows = heads.all(last, STEP); rows.length > 0; rows = heads.all(last, STEP)) {
      for (const row of rows) {
        last = integer(row, 'id');
        const [channel, album] = [text(row, 'channel'), row.album === null ? null : text(row, 'album')];
        writeWords(database, channel, last, rowsOfPost(database, channel, integer(row, 'message'), album).map(bodyOf));
      }
    }
    database.exec("DELETE FROM facts WHERE name = 'words-to-remake'");
  });
};
