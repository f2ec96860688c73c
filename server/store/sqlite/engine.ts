import { setImmediate as breathe } from 'node:timers/promises';
import type { Message, Store } from '../store.ts';
import { readActs, writeAct } from './acts.ts';
import { connectionStore } from './bot-facts.ts';
import { readChannel, readChannels, removeSome, writeChannel, writePin, writeWithdrawn } from './channels.ts';
import { type Database, integer, present, text } from './database.ts';
import { eventLog } from './events.ts';
import { feedStore } from './feeds.ts';
import { fileQueue, writeMediaFile } from './files.ts';
import { readGaps, writeExplained } from './gaps.ts';
import { readHidden, writeGone, writeHidden } from './hidden.ts';
import { keptFiles } from './kept-files.ts';
import { putMessage } from './messages.ts';
import { countUnread, hiddenPost, readDateAfter, readPost, readPostDates, readPosts } from './posts.ts';
import * as readers from './readers.ts';
import { siteKeyStore } from './site-keys.ts';
import { writePoll, writeReactions } from './told.ts';

/** Messages a transaction: few enough that another process waiting to write waits some milliseconds. */
const BATCH = 200;

const batches = (messages: readonly Message[]): Message[][] =>
  Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, at) => messages.slice(at * BATCH, (at + 1) * BATCH));

const putMessages: (database: Database, told: () => void) => Store['putMessages'] = (database, told) => async (messages) => {
  const counts = { inserted: 0, updated: 0, unchanged: 0 };
  for (const batch of batches(messages)) {
    const outcomes = database.transaction(() => batch.map((message) => putMessage(database, message)));
    for (const outcome of outcomes) counts[outcome] += 1;
    told();
    if (batch.length === BATCH) await breathe();
  }
  return counts;
};

const mediaFile: (database: Database) => Store['mediaFile'] = (database) => async (key) => {
  const row = database
    .sql(
      `SELECT f.*, EXISTS (
         SELECT 1 FROM media_uses u JOIN channels c ON c.id = u.channel WHERE u.key = f.key AND c.private = 0 AND c.withdrawn = 0
       ) AS open, EXISTS (
         SELECT 1 FROM media_uses u JOIN channels c ON c.id = u.channel WHERE u.key = f.key AND c.withdrawn = 0
       ) AS used FROM media_files f WHERE f.key = ?`,
    )
    .get(key);
  if (!row) return null;
  const size = (column: string) => (row[column] === null ? null : integer(row, column));
  return {
    key,
    mime: text(row, 'mime'),
    size: integer(row, 'size'),
    ...present('width', size('width')),
    ...present('height', size('height')),
    ...present('placeholder', row.placeholder === null ? null : text(row, 'placeholder')),
    private: row.open !== 1,
    used: row.used === 1,
  };
};

const removeChannels: (database: Database) => Store['removeChannels'] = (database) => async (ids) => {
  for (const id of ids) while (database.transaction(() => removeSome(database, id, BATCH))) await breathe();
};

/** The store on an open SQLite connection whose schema is up to date. */
export const sqliteStore = (database: Database): Store => {
  const log = eventLog(database);
  const write = async <T>(work: () => T): Promise<T> => {
    const result = database.transaction(work);
    log.told();
    return result;
  };
  const run = async (statement: string, ...values: (string | number | null)[]) => void database.sql(statement).run(...values);
  return {
    channels: async (audience, also) => readChannels(database, audience, also),
    channel: async (idOrUsername, audience) => readChannel(database, idOrUsername, audience),
    putChannel: (channel) => write(() => writeChannel(database, channel)),
    withdraw: (channelId, withdrawn) => write(() => writeWithdrawn(database, channelId, withdrawn)),
    removeChannels: (ids) => removeChannels(database)(ids).finally(log.told),

    putMessages: putMessages(database, log.told),
    putReactions: (channelId, messageId, reactions, told) =>
      write(() => writeReactions(database, channelId, messageId, reactions, told)),
    putPoll: (pollId, poll, told) => write(() => writePoll(database, pollId, poll, told)),
    pin: (channelId, messageId, at = Math.floor(Date.now() / 1000)) => write(() => writePin(database, channelId, messageId, at)),
    explain: (channelId, from, to) => write(() => writeExplained(database, channelId, from, to)),
    hide: (channelId, messageId, at) => write(() => writeHidden(database, channelId, messageId, at)),
    hiddenPosts: async (channelId, limit) => readHidden(database, channelId, limit, (row) => hiddenPost(database, row)),
    markGone: (channelId, messageId, at) => write(() => writeGone(database, channelId, messageId, at)),
    gaps: async (channelId, limit) => readGaps(database, channelId, limit),
    putAct: (act) => write(() => writeAct(database, act)),
    acts: async (query) => readActs(database, query),
    ...connectionStore(database, write),
    ...feedStore(database, write),
    ...siteKeyStore(database, write),
    events: log.events,
    lastEvent: log.lastEvent,
    announce: log.announce,
    watch: log.watch,
    posts: async (query, audience) => readPosts(database, query, audience),
    post: async (channelId, messageId, audience) => readPost(database, channelId, messageId, audience),
    postDates: async (channelId, range, audience) => readPostDates(database, channelId, range, audience),
    dateAfter: async (channelId, from, skip, audience) => readDateAfter(database, channelId, from, skip, audience),
    unread: async (marks, audience) => countUnread(database, marks, audience),

    putMediaFile: async (file) => writeMediaFile(database, file),
    mediaFile: mediaFile(database),
    ...fileQueue(database, write),
    ...keptFiles(database, write),

    putSession: ({ tokenHash, readerId, expires }) => write(() => readers.writeSession(database, tokenHash, readerId, expires)),
    touchSession: async (tokenHash, now, expires) => readers.readSession(database, tokenHash, now, expires),
    dropSession: (tokenHash) => run('DELETE FROM sessions WHERE token_hash = ?', tokenHash),
    putReader: async (reader) => readers.writeReader(database, reader),
    reader: async (id) => readers.readReader(database, id),
    dropReader: (id) => write(() => readers.eraseReader(database, id)),

    lineup: async (readerId) => readers.readLineup(database, readerId),
    putLineup: (readerId, change, key) => write(() => readers.writeLineup(database, readerId, change, key)),
    marks: async (readerId) => readers.readMarks(database, readerId),
    putMark: (readerId, mark, exact, key) => write(() => readers.writeMark(database, readerId, mark, exact, key)),
    stars: async (readerId, before, limit) => readers.readStars(database, readerId, before, limit),
    putStar: (readerId, star, key) => write(() => readers.writeStar(database, readerId, star, key)),
    dropStar: (readerId, channelId, postId, key) => write(() => readers.eraseStar(database, readerId, channelId, postId, key)),
    merge: (readerId, merge, key) => write(() => readers.mergeDevice(database, readerId, merge, key)),

    fact: async (name) => {
      const row = database.sql('SELECT value FROM facts WHERE name = ?').get(name);
      return row ? text(row, 'value') : null;
    },
    putFact: (name, value) =>
      run('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', name, value),
    dropFact: (name) => run('DELETE FROM facts WHERE name = ?', name),

    isEmpty: async () => database.sql('SELECT 1 FROM channels LIMIT 1').get() === undefined,
    close: async () => {
      log.end();
      database.close();
    },
  };
};
