import type { PostChannel } from '../assemble.ts';
import type { Audience } from '../store.ts';
import { type Database, integer, type Row, text } from './database.ts';

const postChannel = (row: Row): PostChannel => ({
  id: text(row, 'id'),
  username: row.username === null ? null : text(row, 'username'),
  feed: row.source === 'feed',
  demo: integer(row, 'demo') === 1,
  pinned: row.pinned === null ? null : integer(row, 'pinned'),
});

/** Tells whether a channel's row may be read; every read of the store asks this and nothing else. */
export const mayRead = (row: Row, audience: Audience): boolean =>
  row.withdrawn === 0 &&
  (row.private === 0 || audience.privateChannels === 'all' || audience.privateChannels.includes(text(row, 'id')));

/** The channels that an audience may read posts of: of those asked for, else of the directory. */
export const readable = (database: Database, audience: Audience, asked?: readonly string[]): Map<string, PostChannel> => {
  const columns = 'id, username, source, demo, private, withdrawn, pinned';
  const rows = asked
    ? asked.map((id) => database.sql(`SELECT ${columns} FROM channels WHERE id = ?`).get(id)).filter((row) => row !== undefined)
    : database.sql(`SELECT ${columns} FROM channels WHERE elsewhere = 0`).all();
  return new Map(rows.filter((row) => mayRead(row, audience)).map((row) => [text(row, 'id'), postChannel(row)]));
};
