/** Pinned messages: computes which messages of a channel are pinned, from Telegram's reports. */

/**
 * Maximum number of stored pinned messages of a channel, newest first. It is more than are shown, because some of their
 * posts may be deleted, hidden or not stored.
 */
const MAX_PINS = 100;
/** Maximum number of pinned posts that are shown. */
export const MAX_PINNED_POSTS = 20;

/** Times at which messages were last known to be pinned, unix seconds, by message id. */
export type Pins = ReadonlyMap<number, number>;

/**
 * Newest pinned message as of `at` (unix seconds); null for none. Newest is by the date of sending, as Telegram reports
 * it, which is the order of ids. Telegram reports neither the other pinned messages nor the unpinning of a message.
 */
export interface NewestPin {
  readonly newest: number | null;
  readonly at: number;
}

/** Event: a message was pinned at a time, unix seconds. */
export interface Pinning {
  readonly messageId: number;
  readonly at: number;
}

/** The pinned messages of a channel, and the report that they are based on. */
export interface PinState {
  readonly pins: Pins;
  /** Last report of the newest pinned message; `at` is 0 if there was none. */
  readonly reported: NewestPin;
}

/** Adds messages that were pinned. A later report of the newest one takes precedence over each. */
export function addPins({ pins, reported }: PinState, added: readonly Pinning[]): PinState {
  const times = new Map(pins);
  for (const { messageId, at } of added) times.set(messageId, Math.max(at, times.get(messageId) ?? 0));
  return { pins: selectCurrentPins(times, reported), reported };
}

/**
 * Reconciles the pinned messages with the newest one: messages newer than it are no longer pinned. Older ones stay,
 * though they may have been unpinned. A report older than the last one only adds a message.
 */
export function reportNewestPin(state: PinState, report: NewestPin): PinState {
  const pinning = report.newest === null ? [] : [{ messageId: report.newest, at: report.at }];
  return addPins(report.at < state.reported.at ? state : { ...state, reported: report }, pinning);
}

function selectCurrentPins(pins: Pins, { newest, at: reportedAt }: NewestPin): Pins {
  const isCurrent = ([id, at]: readonly [number, number]): boolean => at >= reportedAt || (newest !== null && id <= newest);
  return new Map(
    [...pins]
      .filter(isCurrent)
      .sort(([one], [other]) => other - one)
      .slice(0, MAX_PINS),
  );
}

/** Returns whether the same messages are pinned. */
export const isSamePins = (one: Pins, other: Pins): boolean =>
  one.size === other.size && [...one.keys()].every((id) => other.has(id));

/** Serializes pinned messages for the store's column: an object of times by message id. */
export const serializePins = (pins: Pins): string => JSON.stringify(Object.fromEntries(pins));

/** Parses the result of `serializePins`. */
export const parsePins = (column: string): Pins => (column === '{}' ? NO_PINS : new Map(entriesOf(JSON.parse(column))));

const NO_PINS: Pins = new Map();

const entriesOf = (times: Readonly<Record<string, number>>): [number, number][] =>
  Object.entries(times).map(([id, at]) => [Number(id), at]);
