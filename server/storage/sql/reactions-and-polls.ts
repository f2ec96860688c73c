import type { Poll, Reaction } from '../../../contract/post.ts';
import { type MessageBody, serializeCanonical } from '../../domain/merge-message.ts';
import type { VersionStamp } from '../../domain/model.ts';
import { appendEvent } from './events.ts';
import { bodyOf, recordMediaUses, reindexPost } from './post-index.ts';
import { execute, inPair, integer, type Operation, queryAll, queryFirst, type Row, text, textOrNull } from './statements.ts';

// Reactions and polls: a bot receives reactions and the end of a poll separately from the message, before or after it.
// Both are stored in their own tables. They are merged into the message whenever one of them arrives.

const isNewerReport = (reported: VersionStamp, current: Row): boolean =>
  reported.at > integer(current, 'at') ||
  (reported.at === integer(current, 'at') && reported.sequence > integer(current, 'turn'));

/**
 * Returns whether a poll state replaces another one. A closed poll never opens again, in whatever order the states
 * arrive. Otherwise the later state wins.
 */
const supersedes = (incoming: Poll, sequence: number, current: Poll | undefined, currentSequence: number): boolean =>
  current === undefined || (incoming.closed === current.closed ? sequence > currentSequence : incoming.closed);

/** Rows of the separate reports about a message: its reactions, and the state of its poll. */
export interface SeparateReports {
  readonly reactions: Row | undefined;
  readonly poll: Row | undefined;
}

function* readPoll(id: string | null): Operation<Row | undefined> {
  return id === null ? undefined : yield* queryFirst('SELECT turn, body FROM polls WHERE id = ?', id);
}

/** Reads the separately reported reactions and the poll of a message. */
export function* readSeparateReports(channel: string, message: number, pollId: string | null): Operation<SeparateReports> {
  const [reactions, poll] = yield* inPair(
    queryFirst('SELECT body FROM reactions WHERE channel = ? AND message = ?', channel, message),
    readPoll(pollId),
  );
  return { reactions, poll };
}

/**
 * Merges separately reported reactions and poll states into a body, whose own content is from the update `sequence`.
 */
export const mergeSeparateReports = (body: MessageBody, { reactions, poll }: SeparateReports, sequence: number): MessageBody => {
  const reportedPoll: Poll | undefined = poll && JSON.parse(text(poll, 'body'));
  return {
    ...body,
    ...(reactions ? { reactions: JSON.parse(text(reactions, 'body')) } : {}),
    ...(reportedPoll && supersedes(reportedPoll, integer(poll ?? {}, 'turn'), body.poll, sequence) ? { poll: reportedPoll } : {}),
  };
};

/** Updates the stored body of a message, inside a transaction, and inserts an event. */
export function* rewriteMessageBody(row: Row, body: MessageBody): Operation<void> {
  const bodyJson = serializeCanonical(body);
  if (bodyJson === text(row, 'body')) return;
  const [channel, message] = [text(row, 'channel'), integer(row, 'message')];
  yield* execute('UPDATE messages SET body = ? WHERE id = ?', bodyJson, integer(row, 'id'));
  const reindexed = yield* reindexPost(channel, message, textOrNull(row, 'album'));
  yield* recordMediaUses(channel, message, reindexed.hidden ? [] : body.media);
  if (!reindexed.hidden) yield* appendEvent('edited', channel, reindexed.postId);
}

/** Stores a message's reaction counts, unless later ones are known. */
export function* writeReactions(
  channel: string,
  message: number,
  reactions: readonly Reaction[],
  version: VersionStamp,
): Operation<void> {
  const current = yield* queryFirst('SELECT at, turn FROM reactions WHERE channel = ? AND message = ?', channel, message);
  if (current && !isNewerReport(version, current)) return;
  yield* execute(
    `INSERT INTO reactions (channel, message, at, turn, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (channel, message) DO UPDATE SET at = excluded.at, turn = excluded.turn, body = excluded.body`,
    channel,
    message,
    version.at,
    version.sequence,
    JSON.stringify(reactions),
  );
  const row = yield* queryFirst('SELECT * FROM messages WHERE channel = ? AND message = ?', channel, message);
  if (row) yield* rewriteMessageBody(row, { ...bodyOf(row), reactions: [...reactions] });
}

/** Stores a poll's state, unless a later one is known. */
export function* writePoll(id: string, poll: Poll, version: VersionStamp): Operation<void> {
  const current = yield* queryFirst('SELECT turn, body FROM polls WHERE id = ?', id);
  if (current && !supersedes(poll, version.sequence, JSON.parse(text(current, 'body')), integer(current, 'turn'))) return;
  yield* execute(
    `INSERT INTO polls (id, at, turn, body) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET at = excluded.at, turn = excluded.turn, body = excluded.body`,
    id,
    version.at,
    version.sequence,
    JSON.stringify(poll),
  );
  for (const row of yield* queryAll('SELECT * FROM messages WHERE poll = ?', id)) {
    const body = bodyOf(row);
    if (supersedes(poll, version.sequence, body.poll, integer(row, 'turn'))) yield* rewriteMessageBody(row, { ...body, poll });
  }
}
