// Store implementation: assembles the methods of `Store` from the SQL modules.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Message } from '../../domain/model.ts';
import type { EventLog, Store } from '../ports/store.ts';
import { readPublicChannelIds } from './access.ts';
import {
  createImportStore,
  deleteMessageBatch,
  readChannel,
  readChannelPage,
  readChannels,
  readChannelsNamed,
  readDemoChannelIds,
  writeChannel,
  writeNewestPin,
  writePins,
  writeSoftDeleted,
} from './channels.ts';
import { createConnectionStore } from './connection-store.ts';
import type { Dialect } from './dialect.ts';
import type { Engine } from './engine.ts';
import { appendEvent, readEvents, readLastEventId } from './events.ts';
import { createFeedStore } from './feeds.ts';
import { createFileLibrary } from './file-library.ts';
import { createFileQueue, readMediaFile, writeMediaFile } from './file-queue.ts';
import { readGaps, writeKnownRange } from './gaps.ts';
import { readHiddenPosts, readPostOfMessage, writeDeletedAtSource, writeHidden } from './hidden-posts.ts';
import { deleteKeptUnread, readKeptUnread, writeKeptUnread } from './kept-unread.ts';
import { type PutResult, putMessage } from './messages.ts';
import { createNotificationStore } from './notifications.ts';
import { createAuditingEngine, createSiteKeyStore, readAuditEntries, writeAuditEntry } from './operators.ts';
import { readDateAfter, readPostDates, readPostSpans } from './post-dates.ts';
import { readChannelAndPost, readPost, readPosts } from './posts.ts';
import { writePoll, writeReactions } from './reactions-and-polls.ts';
import * as readerState from './reader-state.ts';
import * as readers from './readers.ts';
import { createRetainedFileStore } from './retained-files.ts';
import { createRetentionStore, deleteReaderData } from './retention.ts';
import { getOrCreateSetting, putSetting, readSetting } from './settings.ts';
import { execute, type Operation, queryFirst } from './statements.ts';
import { readUnreadCounts } from './unread-counts.ts';

/** Messages per transaction: few enough that another writer waits only some milliseconds. */
const MESSAGES_PER_TRANSACTION = 200;

const splitIntoBatches = (messages: readonly Message[]): Message[][] =>
  Array.from({ length: Math.ceil(messages.length / MESSAGES_PER_TRANSACTION) }, (_, index) =>
    messages.slice(index * MESSAGES_PER_TRANSACTION, (index + 1) * MESSAGES_PER_TRANSACTION),
  );

function* putBatch(batch: readonly Message[]): Operation<PutResult[]> {
  const outcomes: PutResult[] = [];
  for (const message of batch) outcomes.push(yield* putMessage(message));
  return outcomes;
}

const putMessages =
  ({ write }: Engine): Store['putMessages'] =>
  async (messages) => {
    const counts = { inserted: 0, updated: 0, unchanged: 0 };
    for (const batch of splitIntoBatches(messages)) {
      for (const outcome of await write(putBatch(batch))) counts[outcome] += 1;
      if (batch.length === MESSAGES_PER_TRANSACTION) await yieldToEventLoop();
    }
    return counts;
  };

const removeChannels =
  ({ write }: Engine): Store['removeChannels'] =>
  async (ids) => {
    for (const id of ids) while (await write(deleteMessageBatch(id, MESSAGES_PER_TRANSACTION))) await yieldToEventLoop();
  };

/** Returns a function that runs a statement with one value. */
const createChange =
  ({ write }: Engine) =>
  (sql: string, value: string): Promise<void> =>
    write(execute(sql, value));

const createChannelStore = (engine: Engine) => {
  const { read, write } = engine;
  return {
    channels: (accessScope, additionalIds) => read(readChannels(accessScope, additionalIds)),
    channelPage: (query, accessScope) => read(readChannelPage(query, accessScope)),
    publicChannelIds: () => read(readPublicChannelIds()),
    demoChannelIds: () => read(readDemoChannelIds()),
    channel: (idOrUsername, accessScope) => read(readChannel(idOrUsername, accessScope)),
    channelsNamed: (names, accessScope) => read(readChannelsNamed(names, accessScope)),
    putChannel: (channel) => write(writeChannel(channel)),
    setSoftDeleted: (channelId, isSoftDeleted) => write(writeSoftDeleted(channelId, isSoftDeleted)),
    removeChannels: removeChannels(engine),
  } satisfies Partial<Store>;
};

const createPostStore = (engine: Engine, dialect: Dialect) => {
  const { read, write } = engine;
  return {
    putMessages: putMessages(engine),
    putReactions: (channelId, messageId, reactions, version) => write(writeReactions(channelId, messageId, reactions, version)),
    putPoll: (pollId, poll, version) => write(writePoll(pollId, poll, version)),
    putNewestPin: (channelId, newest, at = Math.floor(Date.now() / 1000)) => write(writeNewestPin(channelId, newest, at)),
    addPins: (channelId, pins) => write(writePins(channelId, pins)),
    markRangeKnown: (channelId, from, to) => write(writeKnownRange(channelId, from, to)),
    hidePost: (channelId, messageId, at) => write(writeHidden(channelId, messageId, at)),
    hiddenPosts: (channelId, limit) => read(readHiddenPosts(channelId, limit)),
    findPostOfMessage: (channelId, messageId) => read(readPostOfMessage(channelId, messageId)),
    markDeletedAtSource: (channelId, messageId, at) => write(writeDeletedAtSource(channelId, messageId, at)),
    gaps: (channelId, limit) => read(readGaps(channelId, limit)),
    posts: (query, accessScope) => read(readPosts(dialect, query, accessScope)),
    post: (channelId, messageId, accessScope) => read(readPost(channelId, messageId, accessScope)),
    channelAndPost: (idOrUsername, messageId, accessScope) => read(readChannelAndPost(idOrUsername, messageId, accessScope)),
    postDates: (channelId, range, accessScope) => read(readPostDates(channelId, range, accessScope)),
    postSpans: (channelIds, offset, accessScope) => read(readPostSpans(channelIds, offset, accessScope)),
    postDateAtOffset: (channelId, from, skip, accessScope) => read(readDateAfter(channelId, from, skip, accessScope)),
    unreadCounts: (readStates, accessScope) => read(readUnreadCounts(readStates, accessScope)),
  } satisfies Partial<Store>;
};

const createEventLog = (engine: Engine): EventLog => {
  const { read, write } = engine;
  return {
    eventsAfter: (after, limit) => read(readEvents(after, limit)),
    lastEventId: () => read(readLastEventId()),
    appendEvent: (kind, channelId) => write(appendEvent(kind, channelId, null)),
    onChange: (listener) => engine.onChange(listener),
    publish: (message) => engine.publish(message),
    subscribe: (listener) => engine.subscribe(listener),
  };
};

const createSessionStore = (engine: Engine) => {
  const { read, write } = engine;
  const change = createChange(engine);
  return {
    putSession: ({ tokenHash, readerId, expires }) => write(readers.writeSession(tokenHash, readerId, expires), readerId),
    session: (tokenHash, now) => read(readers.readSession(tokenHash, now)),
    // Not in a transaction: its updates do not depend on each other, and each request of a reader waits for it.
    touchSession: (tokenHash, now, expires) => read(readers.touchSession(tokenHash, now, expires)),
    sessions: (readerId, now) => read(readers.readSessions(readerId, now)),
    endSessions: (readerId, tokenHashes, now) => write(readers.deleteSessions(readerId, tokenHashes, now), readerId),
    sessionsEndedAt: (readerId) => read(readers.readSessionsEndedAt(readerId)),
    deleteSession: (tokenHash) => change('DELETE FROM sessions WHERE token_hash = ?', tokenHash),
    putReader: (reader) => write(readers.writeReader(reader), reader.id),
    reader: (id) => read(readers.readReader(id)),
    deleteReader: (id) => write(deleteReaderData(id), id),
  } satisfies Partial<Store>;
};

const createReaderStateStore = ({ read, write }: Engine) =>
  ({
    lineup: (readerId) => read(readerState.readLineup(readerId)),
    putLineup: (readerId, lineup, key) => write(readerState.writeLineup(readerId, lineup, key), readerId),
    readMarkers: (readerId) => read(readerState.listReadMarkers(readerId)),
    putReadMarker: (readerId, marker, exact, key) => write(readerState.writeReadMarker(readerId, marker, exact, key), readerId),
    stars: (readerId, before, limit) => read(readerState.readStars(readerId, before, limit)),
    putStar: (readerId, star, key) => write(readerState.writeStar(readerId, star, key), readerId),
    deleteStar: (readerId, channelId, postId, key) => write(readerState.deleteStar(readerId, channelId, postId, key), readerId),
    keptUnread: (readerId) => read(readKeptUnread(readerId)),
    putKeptUnread: (readerId, channelId, postId, accessScope, key) =>
      write(writeKeptUnread(readerId, channelId, postId, accessScope, key), readerId),
    deleteKeptUnread: (readerId, channelId, postId, key) => write(deleteKeptUnread(readerId, channelId, postId, key), readerId),
    mergeAnonymousState: (readerId, deviceState, key) =>
      write(readerState.writeMergedState(readerId, deviceState, key), readerId),
  }) satisfies Partial<Store>;

const createSettingStore = (engine: Engine) => {
  const { read, write } = engine;
  const change = createChange(engine);
  return {
    setting: (name) => read(readSetting(name)),
    putSetting: (name, value) => write(putSetting(name, value)),
    getOrCreateSetting: async (name, value) => (await read(readSetting(name))) ?? write(getOrCreateSetting(name, value)),
    deleteSetting: (name) => change('DELETE FROM facts WHERE name = ?', name),
  } satisfies Partial<Store>;
};

/** Creates the store on an engine whose schema is up to date. */
export const createStore = (engine: Engine, dialect: Dialect): Store => {
  const { read, write } = engine;
  return {
    ...createChannelStore(engine),
    ...createPostStore(engine, dialect),
    appendAuditEntry: (entry) => write(writeAuditEntry(entry)),
    withAuditEntries: (entries) => createStore(createAuditingEngine(engine, entries), dialect),
    auditEntries: (query) => read(readAuditEntries(query)),
    ...createConnectionStore(engine),
    ...createFeedStore(engine),
    ...createSiteKeyStore(engine),
    ...createRetainedFileStore(engine),
    ...createNotificationStore(engine),
    ...createRetentionStore(engine),
    ...createEventLog(engine),
    putMediaFile: (file) => write(writeMediaFile(file)),
    mediaFile: (key) => read(readMediaFile(key)),
    ...createFileQueue(engine),
    ...createFileLibrary(engine),
    ...createImportStore(engine),
    ...createSessionStore(engine),
    ...createReaderStateStore(engine),
    ...createSettingStore(engine),
    isEmpty: async () => (await read(queryFirst('SELECT 1 FROM channels LIMIT 1'))) === undefined,
    async assertHealthy() {
      await read(queryFirst('SELECT 1 FROM channels LIMIT 1'));
      const damage = engine.damage();
      if (damage !== null) throw damage;
    },
    isReplicaCurrent: () => engine.isReplicaCurrent(),
    close: () => engine.close(),
  };
};
