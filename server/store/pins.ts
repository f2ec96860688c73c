/** Stored pinned messages of a channel, the newest; more than are shown, since posts of some may be gone, hidden or not here. */
const MAX_PINS = 100;
/** Pinned posts that are shown. */
export const MAX_PINNED_POSTS = 20;

/** When each message was last known to be pinned, unix seconds, by its id. */
export type Pins = ReadonlyMap<number, number>;

/**
 * Which message was the newest pinned one, or that none was, as of `at` (unix seconds). Newest by the date of sending, as
 * Telegram tells it, which is the order of ids. Telegram does not tell of the others, nor when one is unpinned.
 */
export interface NewestPin {
  readonly newest: number | null;
  readonly at: number;
}

/** That a message was pinned at a time, unix seconds. */
export interface Pinning {
  readonly messageId: number;
  readonly at: number;
}

export interface PinState {
  readonly pins: Pins;
  /** What was told last of the newest one; `at` is 0 where nothing was. */
  readonly told: NewestPin;
}

/** Adds messages that were pinned. What was told since of the newest one decides about each. */
export function addPins({ pins, told }: PinState, added: readonly Pinning[]): PinState {
  const next = new Map(pins);
  for (const { messageId, at } of added) next.set(messageId, Math.max(at, next.get(messageId) ?? 0));
  return { pins: keepCurrent(next, told), told };
}

/**
 * Reconciles the pinned messages with the newest one: messages newer than it are no longer pinned. Older ones stay, though they
 * may have been unpinned. What was told earlier than what is known only adds a message.
 */
export function tellNewestPin(state: PinState, told: NewestPin): PinState {
  const pinning = told.newest === null ? [] : [{ messageId: told.newest, at: told.at }];
  return addPins(told.at < state.told.at ? state : { ...state, told }, pinning);
}

function keepCurrent(pins: Pins, { newest, at: toldAt }: NewestPin): Pins {
  const isCurrent = ([id, at]: readonly [number, number]): boolean => at >= toldAt || (newest !== null && id <= newest);
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

/** Writes pinned messages as a column of the store holds them: an object of times by message id. */
export const serializePins = (pins: Pins): string => JSON.stringify(Object.fromEntries(pins));

/** Reads what `serializePins` wrote. */
export const parsePins = (column: string): Pins => (column === '{}' ? NO_PINS : new Map(entriesOf(JSON.parse(column))));

const NO_PINS: Pins = new Map();

const entriesOf = (held: Readonly<Record<string, number>>): [number, number][] =>
  Object.entries(held).map(([id, at]) => [Number(id), at]);
