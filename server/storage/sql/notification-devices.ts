// Notification devices: Web Push subscriptions of readers and of anonymous browsers.

import { randomUUID } from 'node:crypto';
import { DEVICE_DAYS, MAX_DEVICES } from '../../../contract/notifications.ts';
import {
  anonymousOwner,
  type DeviceRegistration,
  isAnonymousOwner,
  type NotificationOwner,
  type StoredDevice,
} from '../ports/notifications.ts';
import { deleteChoicesOf, mergeNotificationChoices } from './notification-choices.ts';
import { execute, integer, jsonListOf, type Operation, queryAll, queryFirst, type Row, text } from './statements.ts';

const DAY_SECONDS = 86_400;

/** Converts a row of a device. */
export const deviceOf = (row: Row): StoredDevice => ({
  id: text(row, 'id'),
  owner: text(row, 'owner'),
  endpoint: text(row, 'endpoint'),
  p256dh: text(row, 'p256dh'),
  auth: text(row, 'auth'),
  language: text(row, 'language'),
  label: text(row, 'label'),
  createdAt: integer(row, 'created'),
  seenAt: integer(row, 'seen'),
});

/** Lists the devices of an owner, most recently seen first. */
export function* readDevices(owner: NotificationOwner): Operation<StoredDevice[]> {
  return (yield* queryAll('SELECT * FROM notification_devices WHERE owner = ? ORDER BY seen DESC, id', owner)).map(deviceOf);
}

/** Finds a device by the hash of its token. */
export function* readDevice(tokenHash: string): Operation<StoredDevice | null> {
  const row = yield* queryFirst('SELECT * FROM notification_devices WHERE token_hash = ?', tokenHash);
  return row ? deviceOf(row) : null;
}

/** Deletes devices with their queued and shown notifications, and the choices of anonymous ones. */
export function* deleteDevices(devices: readonly Pick<StoredDevice, 'id' | 'owner'>[]): Operation<void> {
  const ids = jsonListOf(devices.map(({ id }) => id));
  yield* execute('DELETE FROM notification_queue WHERE recipient IN (SELECT value FROM json_each(?))', ids);
  yield* execute('DELETE FROM notification_shown WHERE recipient IN (SELECT value FROM json_each(?))', ids);
  yield* execute('DELETE FROM notification_devices WHERE id IN (SELECT value FROM json_each(?))', ids);
  for (const { owner } of devices) if (isAnonymousOwner(owner)) yield* deleteChoicesOf(owner);
}

/** Stores the owner of a known device that signs in or out. */
function* changeOwner(device: StoredDevice, owner: NotificationOwner): Operation<void> {
  if (device.owner === owner) return;
  if (isAnonymousOwner(device.owner)) {
    yield* mergeNotificationChoices(device.owner, owner);
    yield* execute('UPDATE notification_queue SET owner = ? WHERE recipient = ?', owner, device.id);
    return;
  }
  // Notifications of the previous reader must not reach the next one.
  yield* execute('DELETE FROM notification_queue WHERE recipient = ?', device.id);
  yield* execute('DELETE FROM notification_shown WHERE recipient = ?', device.id);
}

/** Inserts or replaces a device, and returns it. */
export function* writeDevice(registration: DeviceRegistration, now: number): Operation<StoredDevice> {
  const { tokenHash, readerId, endpoint, p256dh, auth, language, label } = registration;
  const known = yield* readDevice(tokenHash);
  const id = known?.id ?? randomUUID();
  const owner = readerId ?? anonymousOwner(id);
  const duplicates = yield* queryAll('SELECT * FROM notification_devices WHERE endpoint = ? AND id <> ?', endpoint, id);
  yield* deleteDevices(duplicates.map(deviceOf));
  if (known) yield* changeOwner(known, owner);
  yield* execute(
    `INSERT INTO notification_devices (id, owner, token_hash, endpoint, p256dh, auth, language, label, created, seen)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, endpoint = excluded.endpoint, p256dh = excluded.p256dh,
       auth = excluded.auth, language = excluded.language, label = excluded.label, seen = excluded.seen`,
    ...[id, owner, tokenHash, endpoint, p256dh, auth, language, label, known?.createdAt ?? now, now],
  );
  yield* deleteDevices((yield* readDevices(owner)).filter((device) => device.id !== id).slice(MAX_DEVICES - 1));
  return { id, owner, endpoint, p256dh, auth, language, label, createdAt: known?.createdAt ?? now, seenAt: now };
}

/** Records a visit of a device, unless one of the same day is recorded. */
export function* touchDevice(id: string, now: number): Operation<void> {
  yield* execute('UPDATE notification_devices SET seen = ? WHERE id = ? AND seen < ?', now, id, now - DAY_SECONDS);
}

/** Deletes a device of an owner. Returns false if there is none. */
export function* deleteDevice(owner: NotificationOwner, id: string): Operation<boolean> {
  const row = yield* queryFirst('SELECT * FROM notification_devices WHERE id = ? AND owner = ?', id, owner);
  if (row) yield* deleteDevices([deviceOf(row)]);
  return row !== undefined;
}

/** Deletes everything that is stored about the notifications of an owner. */
export function* deleteNotificationsOf(owner: NotificationOwner): Operation<void> {
  yield* deleteDevices(yield* readDevices(owner));
  yield* deleteChoicesOf(owner);
  yield* execute('DELETE FROM notification_queue WHERE owner = ?', owner);
}

/** Days for which queued notifications, matched posts, and the notifications that a device shows are stored. */
const RECORD_DAYS = 3;
/** Days for which counts are stored. */
const COUNT_DAYS = 31;

/** Deletes devices without a visit for DEVICE_DAYS, and records that are no longer needed. `now` is unix seconds. */
export function* deleteExpiredNotifications(now: number): Operation<void> {
  const unseen = yield* queryAll('SELECT * FROM notification_devices WHERE seen < ?', now - DEVICE_DAYS * DAY_SECONDS);
  if (unseen.length > 0) yield* deleteDevices(unseen.map(deviceOf));
  yield* execute('DELETE FROM notification_shown WHERE at < ?', now - RECORD_DAYS * DAY_SECONDS);
  yield* execute('DELETE FROM notification_posts WHERE at < ?', now - RECORD_DAYS * DAY_SECONDS);
  yield* execute('DELETE FROM notification_queue WHERE at < ?', (now - RECORD_DAYS * DAY_SECONDS) * 1000);
  // Rows of writes that were in progress when their reader was deleted.
  for (const table of ['notification_settings', 'notification_choices', 'notification_words', 'notification_devices'])
    yield* execute(
      `DELETE FROM ${table} WHERE owner NOT LIKE 'd-%' AND NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = ${table}.owner)`,
    );
  yield* execute('DELETE FROM notification_counts WHERE day < ?', Math.floor(now / DAY_SECONDS) - COUNT_DAYS);
}
