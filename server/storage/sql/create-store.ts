// Store implementation: assembles the methods of `Store` from the SQL modules.

import { setImmediate as breathe } from 'node:timers/promises';
import type { Message } from '../../domain/model.ts';
import type { Store } from '../ports/store.ts';
import { connectionStore } from './bot-state.ts';
import {
  importStore,
  readChannel,
  readChannels,
  readNamed,
  removeSome,
  writeChannel,
  writeNewestPin,
  writePins,
  writeWithdrawn,
} from './channels.ts';
import type { Dialect } from './dialect.ts';
import type { Engine } from './engine.ts';
import { noteEvent, readEvents, readLastEvent } from './events.ts';
import { feedStore } from './feeds.ts';
import { keptFiles } from './file-library.ts';
import { fileQueue, readMediaFile, writeMediaFile } from './file-queue.ts';
import { readGaps, writeExplained } from './gaps.ts';
import { readHidden, readPostHolding, writeGone, writeHidden } from './hidden-posts.ts';
import { eraseKeptUnread, readKeptUnread, writeKeptUnread } from './kept-unread.ts';
import { type Outcome, putMessage } from './messages.ts';
import { actingEngine, readActs, siteKeyStore, writeAct } from './operators.ts';
import { countUnread, readDateAfter, readPost, readPostDates, readPosts } from './posts.ts';
import { writePoll, writeReactions } from './reactions-and-polls.ts';
import * as readerState from './reader-state.ts';
import * as readers from './readers.ts';
import { eraseReader, retentionStore } from './retention.ts';
import { factOr, putFact, readFact } from './settings.ts';
import { get, run, type Work } from './statements.ts';

/** Messages per transaction: few enough that another writer waits only some milliseconds. */
const BATCH = 200;

const batches = (messages: readonly Message[]): Message[][] =>
  Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, at) => messages.slice(at * BATCH, (at + 1) * BATCH));

function* putBatch(batch: readonly Message[]): Work<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const message of batch) outcomes.push(yield* putMessage(message));
  return outcomes;
}

const putMessages =
  ({ write }: Engine): Store['putMessages'] =>
  async (messages) => {
    const counts = { inserted: 0, updated: 0, unchanged: 0 };
    for (const batch of batches(messages)) {
      for (const outcome of await write(putBatch(batch))) counts[outcome] += 1;
      if (batch.length === BATCH) await breathe();
    }
    return counts;
  };

const removeChannels =
  ({ write }: Engine): Store['removeChannels'] =>
  async (ids) => {
    for (const id of ids) while (await write(removeSome(id, BATCH))) await breathe();
  };

/** Creates the store on an engine whose schema is up to date. */
export const storeOn = (engine: Engine, dialect: Dialect): Store => {
  const { read, write } = engine;
  const change = async (sql: string, value: string): Promise<void> => void (await write(run(sql, value)));
  return {
    channels: (audience, also) => read(readChannels(audience, also)),
    channel: (idOrUsername, audience) => read(readChannel(idOrUsername, audience)),
    channelsNamed: (names, audience) => read(readNamed(names, audience)),
    putChannel: (channel) => write(writeChannel(channel)),
    withdraw: (channelId, withdrawn) => write(writeWithdrawn(channelId, withdrawn)),
    removeChannels: removeChannels(engine),

    putMessages: putMessages(engine),
    putReactions: (channelId, messageId, reactions, told) => write(writeReactions(channelId, messageId, reactions, told)),
    putPoll: (pollId, poll, told) => write(writePoll(pollId, poll, told)),
    pin: (channelId, newest, at = Math.floor(Date.now() / 1000)) => write(writeNewestPin(channelId, newest, at)),
    addPins: (channelId, pins) => write(writePins(channelId, pins)),
    explain: (channelId, from, to) => write(writeExplained(channelId, from, to)),
    hide: (channelId, messageId, at) => write(writeHidden(channelId, messageId, at)),
    hiddenPosts: (channelId, limit) => read(readHidden(channelId, limit)),
    postHolding: (channelId, messageId) => read(readPostHolding(channelId, messageId)),
    markGone: (channelId, messageId, at) => write(writeGone(channelId, messageId, at)),
    gaps: (channelId, limit) => read(readGaps(channelId, limit)),
    posts: (query, audience) => read(readPosts(dialect, query, audience)),
    post: (channelId, messageId, audience) => read(readPost(channelId, messageId, audience)),
    postDates: (channelId, range, audience) => read(readPostDates(channelId, range, audience)),
    dateAfter: (channelId, from, skip, audience) => read(readDateAfter(channelId, from, skip, audience)),
    unread: (marks, audience) => read(countUnread(marks, audience)),

    putAct: (act) => write(writeAct(act)),
    withActs: (acts) => storeOn(actingEngine(engine, acts), dialect),
    acts: (query) => read(readActs(query)),
    ...connectionStore(engine),
    ...feedStore(engine),
    ...siteKeyStore(engine),
    ...retentionStore(engine),
    events: (after, limit) => read(readEvents(after, limit)),
    lastEvent: () => read(readLastEvent()),
    announce: (kind, channelId) => write(noteEvent(kind, channelId, null)),
    watch: (listener) => engine.watch(listener),
    pass: (word) => engine.pass(word),
    hear: (listener) => engine.hear(listener),

    putMediaFile: (file) => write(writeMediaFile(file)),
    mediaFile: (key) => read(readMediaFile(key)),
    ...fileQueue(engine),
    ...keptFiles(engine),
    ...importStore(engine),

    putSession: ({ tokenHash, readerId, expires }) => write(readers.writeSession(tokenHash, readerId, expires), readerId),
    session: (tokenHash, now) => read(readers.readSession(tokenHash, now)),
    touchSession: (tokenHash, now, expires) => read(readers.touchSession(tokenHash, now, expires)),
    sessions: (readerId, now) => read(readers.readSessions(readerId, now)),
    endSessions: (readerId, tokenHashes, now) => write(readers.endSessions(readerId, tokenHashes, now), readerId),
    signedOut: (readerId) => read(readers.readSignedOut(readerId)),
    dropSession: (tokenHash) => change('DELETE FROM sessions WHERE token_hash = ?', tokenHash),
    putReader: (reader) => write(readers.writeReader(reader), reader.id),
    reader: (id) => read(readers.readReader(id)),
    dropReader: (id) => write(eraseReader(id), id),

    lineup: (readerId) => read(readerState.readLineup(readerId)),
    putLineup: (readerId, lineup, key) => write(readerState.writeLineup(readerId, lineup, key), readerId),
    marks: (readerId) => read(readerState.readMarks(readerId)),
    putMark: (readerId, mark, exact, key) => write(readerState.writeMark(readerId, mark, exact, key), readerId),
    stars: (readerId, before, limit) => read(readerState.readStars(readerId, before, limit)),
    putStar: (readerId, star, key) => write(readerState.writeStar(readerId, star, key), readerId),
    dropStar: (readerId, channelId, postId, key) => write(readerState.eraseStar(readerId, channelId, postId, key), readerId),
    keptUnread: (readerId) => read(readKeptUnread(readerId)),
    putKeptUnread: (readerId, channelId, postId, audience, key) =>
      write(writeKeptUnread(readerId, channelId, postId, audience, key), readerId),
    dropKeptUnread: (readerId, channelId, postId, key) => write(eraseKeptUnread(readerId, channelId, postId, key), readerId),
    merge: (readerId, merge, key) => write(readerState.mergeDevice(readerId, merge, key), readerId),

    fact: (name) => read(readFact(name)),
    putFact: (name, value) => write(putFact(name, value)),
    factOr: async (name, value) => (await read(readFact(name))) ?? write(factOr(name, value)),
    dropFact: (name) => change('DELETE FROM facts WHERE name = ?', name),

    isEmpty: async () => (await read(get('SELECT 1 FROM channels LIMIT 1'))) === undefined,
    async requireSound() {
      await read(get('SELECT 1 FROM channels LIMIT 1'));
      const damage = engine.damage();
      if (damage !== null) throw damage;
    },
    close: () => engine.close(),
  };
};
