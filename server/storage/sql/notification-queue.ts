// Sending queue of notifications: claims of due items, results, and counts. A claim moves the due time of its items to
// its end, so that they are due again if the claiming process ends. Items whose sending began are then removed instead.

import { randomUUID } from 'node:crypto';
import type {
  NotificationClaim,
  NotificationCounts,
  NotificationResult,
  QueuedKind,
  QueuedNotification,
  ShownNotification,
} from '../ports/notifications.ts';
import { settingsOf, writeBotAccess } from './notification-choices.ts';
import { deleteDevices, deviceOf } from './notification-devices.ts';
import {
  type ChangeStatement,
  execute,
  executeEach,
  integer,
  jsonListOf,
  type Operation,
  queryAll,
  queryFirst,
  type Row,
  text,
} from './statements.ts';

const DAY_SECONDS = 86_400;
const COUNTED_DAYS = 30;
/** Due items that are read to find the recipients of a claim, per recipient. */
const ITEMS_PER_RECIPIENT = 4;

const KINDS = { post: 'post', read: 'read', test: 'test' } as const;
const isKind = (value: string): value is QueuedKind => Object.hasOwn(KINDS, value);

const itemOf = (row: Row): QueuedNotification => {
  const kind = text(row, 'kind');
  return {
    recipient: text(row, 'recipient'),
    owner: text(row, 'owner'),
    kind: isKind(kind) ? kind : 'test',
    channelId: text(row, 'channel'),
    postId: integer(row, 'post'),
    at: integer(row, 'at'),
    attempts: integer(row, 'attempts'),
  };
};

const INSERT_ITEM = `
  INSERT INTO notification_queue (recipient, kind, channel, post, target, owner, at, due, attempts, sending)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING`;

/** Queues a test for a recipient. */
export const queueTest = (recipient: string, owner: string, target: 'push' | 'bot', now: number): Operation<unknown> =>
  execute(INSERT_ITEM, recipient, 'test', '', 0, target, owner, now, now);

/** Returns whether `queueRead` would change something: most read markers concern no notification. */
export function* isReadNotified(readerId: string, { channelId, postId }: ShownNotification): Operation<boolean> {
  const row = yield* queryFirst(
    `SELECT 1 FROM notification_queue WHERE owner = ? AND kind = 'post' AND channel = ? AND post <= ?
     UNION ALL SELECT 1 FROM notification_devices d JOIN notification_shown s ON s.recipient = d.id
     WHERE d.owner = ? AND s.channel = ? AND s.post <= ? LIMIT 1`,
    ...[readerId, channelId, postId, readerId, channelId, postId],
  );
  return row !== undefined;
}

/** Queues that posts were read. See `NotificationStore.queueRead`. */
export function* queueRead(
  readerId: string,
  { channelId, postId }: ShownNotification,
  exceptTokenHash: string | null,
  now: number,
): Operation<void> {
  yield* execute(
    `DELETE FROM notification_queue WHERE owner = ? AND kind = 'post' AND channel = ? AND post <= ? AND sending = 0`,
    ...[readerId, channelId, postId],
  );
  const rows = yield* queryAll(
    `SELECT d.id, d.token_hash FROM notification_devices d JOIN notification_shown s ON s.recipient = d.id
     WHERE d.owner = ? AND s.channel = ? AND s.post <= ?`,
    ...[readerId, channelId, postId],
  );
  if (rows.length === 0) return;
  yield* execute(
    'DELETE FROM notification_shown WHERE recipient IN (SELECT value FROM json_each(?)) AND channel = ?',
    jsonListOf(rows.map((row) => text(row, 'id'))),
    channelId,
  );
  const others = rows.filter((row) => row.token_hash !== exceptTokenHash);
  yield* executeEach(
    others.map((row) => ({
      text: INSERT_ITEM,
      values: [text(row, 'id'), 'read', channelId, postId, 'push', readerId, now, now],
    })),
  );
}

function* addCount(name: 'sent' | 'failed', day: number, count: number): Operation<void> {
  if (count === 0) return;
  yield* execute(
    `INSERT INTO notification_counts (day, name, count) VALUES (?, ?, ?)
     ON CONFLICT (day, name) DO UPDATE SET count = notification_counts.count + excluded.count`,
    ...[day, name, count],
  );
}

/** Removes items whose sending began before their claim ended: it is unknown whether they were sent. */
function* removeUnknown(now: number): Operation<void> {
  const rows = yield* queryAll('SELECT recipient FROM notification_queue WHERE sending = 1 AND due <= ?', now);
  if (rows.length === 0) return;
  yield* execute('DELETE FROM notification_queue WHERE sending = 1 AND due <= ?', now);
  yield* addCount('failed', Math.floor(now / 1000 / DAY_SECONDS), rows.length);
}

/** Claims the due items of some recipients. See `NotificationStore.claimNotifications`. */
export function* claimNotifications(
  target: 'push' | 'bot',
  { now, until, limit }: { readonly now: number; readonly until: number; readonly limit: number },
): Operation<NotificationClaim | null> {
  yield* removeUnknown(now);
  const due = yield* queryAll(
    'SELECT recipient FROM notification_queue WHERE target = ? AND due <= ? ORDER BY due LIMIT ?',
    ...[target, now, limit * ITEMS_PER_RECIPIENT],
  );
  const recipients = [...new Set(due.map((row) => text(row, 'recipient')))].slice(0, limit);
  if (recipients.length === 0) return null;
  const id = randomUUID();
  const list = jsonListOf(recipients);
  yield* execute(
    'UPDATE notification_queue SET claim = ?, due = ? WHERE recipient IN (SELECT value FROM json_each(?)) AND due <= ?',
    ...[id, until, list, now],
  );
  const items = yield* queryAll(
    'SELECT * FROM notification_queue WHERE recipient IN (SELECT value FROM json_each(?)) AND claim = ? ORDER BY at, post',
    list,
    id,
  );
  const devices = yield* queryAll('SELECT * FROM notification_devices WHERE id IN (SELECT value FROM json_each(?))', list);
  const owners = jsonListOf([...new Set(items.map((row) => text(row, 'owner')))]);
  const settings = yield* queryAll('SELECT * FROM notification_settings WHERE owner IN (SELECT value FROM json_each(?))', owners);
  return {
    id,
    items: items.map(itemOf),
    devices: new Map(devices.map((row) => [text(row, 'id'), deviceOf(row)])),
    settings: new Map(settings.map((row) => [text(row, 'owner'), settingsOf(row)])),
  };
}

/** Records that the sending begins. Returns the recipients whose items the claim still holds. */
export function* beginSending(claimId: string, recipients: readonly string[]): Operation<string[]> {
  const list = jsonListOf(recipients);
  yield* execute(
    'UPDATE notification_queue SET sending = 1 WHERE recipient IN (SELECT value FROM json_each(?)) AND claim = ?',
    list,
    claimId,
  );
  const rows = yield* queryAll(
    'SELECT DISTINCT recipient FROM notification_queue WHERE recipient IN (SELECT value FROM json_each(?)) AND claim = ?',
    list,
    claimId,
  );
  return rows.map((row) => text(row, 'recipient'));
}

const ITEM_OF_CLAIM = 'recipient = ? AND kind = ? AND channel = ? AND post = ? AND claim = ?';

/** Returns the statements that remove or postpone the items of a result. */
const changesOf = (claimId: string, result: NotificationResult): ChangeStatement[] =>
  result.items.map(({ recipient, kind, channelId, postId }) => {
    const key = [recipient, kind, channelId, postId, claimId];
    return result.type === 'postpone'
      ? {
          text: `UPDATE notification_queue SET claim = NULL, sending = 0, due = ?, attempts = attempts + ? WHERE ${ITEM_OF_CLAIM}`,
          values: [result.due, result.isRetry ? 1 : 0, ...key],
        }
      : { text: `DELETE FROM notification_queue WHERE ${ITEM_OF_CLAIM}`, values: key };
  });

function* recordShown(recipient: string, shown: readonly ShownNotification[], now: number): Operation<void> {
  yield* executeEach(
    shown.map(({ channelId, postId }) => ({
      text: `INSERT INTO notification_shown (recipient, channel, post, at) VALUES (?, ?, ?, ?)
        ON CONFLICT (recipient, channel) DO UPDATE SET post = excluded.post, at = excluded.at`,
      values: [recipient, channelId, postId, now],
    })),
  );
}

function* removeGone(recipients: readonly string[]): Operation<void> {
  const list = jsonListOf(recipients);
  const devices = yield* queryAll('SELECT * FROM notification_devices WHERE id IN (SELECT value FROM json_each(?))', list);
  yield* deleteDevices(devices.map(deviceOf));
  for (const recipient of recipients) if (recipient.startsWith('b-')) yield* writeBotAccess(recipient.slice(2), false);
}

/** Records the results of a claim. `now` is unix seconds. */
export function* finishSending(claimId: string, results: readonly NotificationResult[], now: number): Operation<void> {
  yield* executeEach(results.flatMap((result) => changesOf(claimId, result)));
  for (const result of results) if (result.type === 'sent') yield* recordShown(result.recipient, result.shown, now);
  const gone = results.filter(({ type }) => type === 'gone').map(({ recipient }) => recipient);
  if (gone.length > 0) yield* removeGone(gone);
  const day = Math.floor(now / DAY_SECONDS);
  yield* addCount('sent', day, results.filter(({ type }) => type === 'sent').length);
  yield* addCount('failed', day, results.filter(({ type }) => type === 'failed').length);
}

/** Returns when the next item is due, in unix ms. */
export function* readNextDue(target: 'push' | 'bot'): Operation<number | null> {
  const row = yield* queryFirst('SELECT min(due) AS due FROM notification_queue WHERE target = ?', target);
  return typeof row?.due === 'number' ? row.due : null;
}

/** Sets the due time of an owner's queued posts to now, after the settings changed. Claimed items stay claimed. */
export function* makeDue(owner: string, now: number): Operation<void> {
  yield* execute('UPDATE notification_queue SET due = ? WHERE owner = ? AND claim IS NULL AND due > ?', now, owner, now);
}

/** Counts subscribers, devices and notifications, for operators. `now` is unix seconds. */
export function* readNotificationCounts(now: number): Operation<NotificationCounts> {
  const row = yield* queryFirst(
    `SELECT (SELECT count(DISTINCT owner) FROM notification_choices) AS subscribers,
       (SELECT count(*) FROM notification_devices) AS devices, (SELECT count(*) FROM notification_queue) AS waiting`,
  );
  const counts = yield* queryAll(
    'SELECT name, sum(count) AS n FROM notification_counts WHERE day > ? GROUP BY name',
    Math.floor(now / DAY_SECONDS) - COUNTED_DAYS,
  );
  const countOf = (name: string): number => integer(counts.find((count) => count.name === name) ?? {}, 'n');
  return {
    subscribers: integer(row ?? {}, 'subscribers'),
    devices: integer(row ?? {}, 'devices'),
    sent: countOf('sent'),
    failed: countOf('failed'),
    waiting: integer(row ?? {}, 'waiting'),
  };
}
