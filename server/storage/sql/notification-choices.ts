// Notification choices: settings of an owner, choices of channels, and the index of their words.

import {
  type Choice,
  DEFAULT_NOTIFICATION_SETTINGS,
  MAX_CHOICES,
  type NotificationSettings,
} from '../../../contract/notifications.ts';
import type { ChoiceToStore, NotificationOwner, StoredNotificationSettings } from '../ports/notifications.ts';
import { readLastEventId } from './events.ts';
import { execute, executeEach, integer, type Operation, queryAll, queryFirst, type Row, text } from './statements.ts';

const MODES = { all: 'all', words: 'words' } as const;
const DELIVERIES = { immediate: 'immediate', hourly: 'hourly', daily: 'daily' } as const;

const isName = <Names extends object>(names: Names, value: string): value is keyof Names & string => Object.hasOwn(names, value);

/** Converts a row of the settings. */
export const settingsOf = (row: Row): StoredNotificationSettings => {
  const delivery = text(row, 'delivery');
  return {
    delivery: isName(DELIVERIES, delivery) ? delivery : 'immediate',
    dailyAt: integer(row, 'daily_at'),
    quiet: row.quiet_from === null ? null : { from: integer(row, 'quiet_from'), to: integer(row, 'quiet_to') },
    timeZone: text(row, 'zone'),
    target: row.target === 'bot' ? 'bot' : 'push',
    botAccess: row.bot_access === 1,
  };
};

const choiceOf = (row: Row): Choice => {
  const mode = text(row, 'mode');
  return {
    channelId: text(row, 'channel'),
    mode: isName(MODES, mode) ? mode : 'off',
    words: JSON.parse(text(row, 'words')),
  };
};

/** Returns the settings of an owner, or null if none are stored. */
export function* readNotificationSettings(owner: NotificationOwner): Operation<StoredNotificationSettings | null> {
  const row = yield* queryFirst('SELECT * FROM notification_settings WHERE owner = ?', owner);
  return row ? settingsOf(row) : null;
}

/** Inserts or updates the settings of an owner. The access of the bot does not change. */
export function* writeNotificationSettings(owner: NotificationOwner, settings: NotificationSettings): Operation<void> {
  const { delivery, dailyAt, quiet, timeZone, target } = settings;
  yield* execute(
    `INSERT INTO notification_settings (owner, delivery, daily_at, quiet_from, quiet_to, zone, target, bot_access)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT (owner) DO UPDATE SET delivery = excluded.delivery, daily_at = excluded.daily_at,
       quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, zone = excluded.zone, target = excluded.target`,
    ...[owner, delivery, dailyAt, quiet?.from ?? null, quiet?.to ?? null, timeZone, target],
  );
}

/** Stores the default settings of an owner that has none. Matching joins the settings of each owner. */
export function* ensureNotificationSettings(owner: NotificationOwner): Operation<void> {
  if ((yield* readNotificationSettings(owner)) === null) yield* writeNotificationSettings(owner, DEFAULT_NOTIFICATION_SETTINGS);
}

/** Lists the choices of an owner, by channel. */
export function* readNotificationChoices(owner: NotificationOwner): Operation<Choice[]> {
  return (yield* queryAll('SELECT * FROM notification_choices WHERE owner = ? ORDER BY channel', owner)).map(choiceOf);
}

/**
 * Stores a choice, with the index terms of its words. Posts of earlier events do not match a new choice; a changed
 * choice keeps its start. Returns false if the owner has reached the limit, or if the channel does not exist.
 */
export function* writeNotificationChoice(owner: NotificationOwner, choice: ChoiceToStore): Operation<boolean> {
  const { channelId, mode, words, phrases } = choice;
  yield* execute('DELETE FROM notification_words WHERE owner = ? AND channel = ?', owner, channelId);
  if (mode === 'off') {
    yield* execute('DELETE FROM notification_choices WHERE owner = ? AND channel = ?', owner, channelId);
    return true;
  }
  if (!(yield* queryFirst('SELECT 1 FROM channels WHERE id = ?', channelId))) return false;
  const others = yield* queryFirst(
    'SELECT count(*) AS n FROM notification_choices WHERE owner = ? AND channel <> ?',
    owner,
    channelId,
  );
  if (integer(others ?? {}, 'n') >= MAX_CHOICES) return false;
  yield* ensureNotificationSettings(owner);
  yield* execute(
    `INSERT INTO notification_choices (owner, channel, mode, words, since) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (owner, channel) DO UPDATE SET mode = excluded.mode, words = excluded.words`,
    ...[owner, channelId, mode, JSON.stringify(words), yield* readLastEventId()],
  );
  yield* writePhrases(owner, channelId, mode === 'words' ? phrases : []);
  return true;
}

function* writePhrases(owner: NotificationOwner, channelId: string, phrases: ChoiceToStore['phrases']): Operation<void> {
  yield* executeEach(
    phrases.flatMap(([first, ...rest]) =>
      first === undefined
        ? []
        : [
            {
              text: 'INSERT INTO notification_words (channel, term, owner, rest) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
              values: [channelId, first, owner, JSON.stringify(rest)],
            },
          ],
    ),
  );
}

/** Moves the choices and settings of one owner to another, who keeps what it has already. */
export function* mergeNotificationChoices(from: NotificationOwner, to: NotificationOwner): Operation<void> {
  const existing = new Set((yield* readNotificationChoices(to)).map(({ channelId }) => channelId));
  const moved = (yield* readNotificationChoices(from))
    .filter(({ channelId }) => !existing.has(channelId))
    .slice(0, Math.max(0, MAX_CHOICES - existing.size));
  yield* execute(
    `INSERT INTO notification_settings (owner, delivery, daily_at, quiet_from, quiet_to, zone, target, bot_access)
     SELECT CAST(? AS TEXT), delivery, daily_at, quiet_from, quiet_to, zone, target, 0 FROM notification_settings
     WHERE owner = ? ON CONFLICT DO NOTHING`,
    to,
    from,
  );
  for (const { channelId } of moved)
    yield* executeEach(
      ['notification_choices', 'notification_words'].map((table) => ({
        text: `UPDATE ${table} SET owner = ? WHERE owner = ? AND channel = ?`,
        values: [to, from, channelId],
      })),
    );
  yield* deleteChoicesOf(from);
}

/** Deletes the choices and settings of an owner. */
export function* deleteChoicesOf(owner: NotificationOwner): Operation<void> {
  for (const table of ['notification_choices', 'notification_words', 'notification_settings'])
    yield* execute(`DELETE FROM ${table} WHERE owner = ?`, owner);
}

/** Records whether the bot may write to a reader. */
export function* writeBotAccess(readerId: string, mayWrite: boolean): Operation<void> {
  if (mayWrite) yield* ensureNotificationSettings(readerId);
  yield* execute(
    mayWrite
      ? 'UPDATE notification_settings SET bot_access = 1 WHERE owner = ?'
      : `UPDATE notification_settings SET bot_access = 0, target = 'push' WHERE owner = ?`,
    readerId,
  );
  if (!mayWrite) yield* execute(`DELETE FROM notification_queue WHERE target = 'bot' AND owner = ?`, readerId);
}
