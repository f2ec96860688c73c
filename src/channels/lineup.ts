// What a line-up is and how it changes; pure. A line-up without entries is the default: every channel, the operator's order.
import type { LineupEntry } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { LineupRow } from './channels.ts';

type Entries = readonly LineupEntry[];

const isFollowed = (entry: LineupEntry): boolean => entry.followed !== false;

/** Whether a channel is muted. `seconds` is unix time; muted "until changed" is 0. */
export const isMuted = ({ mutedUntil }: LineupEntry, seconds: number): boolean =>
  mutedUntil !== undefined && (mutedUntil === 0 || mutedUntil > seconds);

/** The channels whose posts make the feed, the muted ones too; undefined for the default line-up, which the server knows. */
export const feedIds = (entries: Entries): readonly string[] | undefined =>
  entries.length === 0 ? undefined : entries.filter(isFollowed).map((entry) => entry.channelId);

/** The default line-up written out, so that it can be changed. */
export const spelledOut = (entries: Entries, channels: readonly Channel[]): Entries =>
  entries.length > 0 ? entries : channels.map((channel) => ({ channelId: channel.id, followed: true }));

/** Followed rows in dial order, then the others: those of the line-up, then those it does not know. */
export function rowsOf(
  channels: readonly Channel[],
  entries: Entries,
  unread: ReadonlyMap<string, number>,
  seconds: number,
): readonly LineupRow[] {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const named = new Set(entries.map((entry) => entry.channelId));
  const rest = channels
    .filter((channel) => !named.has(channel.id))
    .map((channel) => ({ channelId: channel.id, followed: entries.length === 0 }));
  const row = (entry: LineupEntry, index: number): readonly LineupRow[] => {
    const channel = byId.get(entry.channelId);
    const followed = isFollowed(entry);
    const number = followed ? index + 1 : null;
    const count = unread.get(entry.channelId) ?? 0;
    return channel === undefined ? [] : [{ channel, entry, number, followed, muted: isMuted(entry, seconds), unread: count }];
  };
  const shown = [...entries, ...rest].filter((entry) => byId.has(entry.channelId));
  return [...shown.filter(isFollowed), ...shown.filter((entry) => !isFollowed(entry))].flatMap(row);
}

function changed(entries: Entries, channelId: string, change: (entry: LineupEntry) => LineupEntry): Entries {
  const found = entries.some((entry) => entry.channelId === channelId);
  const all = found ? entries : [...entries, { channelId, followed: false }];
  return all.map((entry) => (entry.channelId === channelId ? change(entry) : entry));
}

export const withFollowed = (entries: Entries, channelId: string, followed: boolean, now: number): Entries =>
  changed(entries, channelId, (entry) => ({ ...entry, followed, changed: now }));

export const withMuted = (entries: Entries, channelId: string, until: number | null, now: number): Entries =>
  changed(entries, channelId, ({ mutedUntil: _, ...entry }) => ({
    ...entry,
    changed: now,
    ...(until === null ? {} : { mutedUntil: until }),
  }));

/** Puts a channel at a number, counted from 1 over `followed`, the followed channels that are shown, in order. */
export function withMoved(
  entries: Entries,
  followed: readonly string[],
  channelId: string,
  number: number,
  now: number,
): Entries {
  const from = followed.indexOf(channelId);
  const to = Math.min(Math.max(Math.trunc(number), 1), followed.length) - 1;
  const entry = entries.find((one) => one.channelId === channelId);
  if (from < 0 || from === to || entry === undefined) return entries;
  const others = entries.filter((one) => one !== entry);
  const neighbour = others.findIndex((one) => one.channelId === followed[to]);
  return others.toSpliced(neighbour + (to > from ? 1 : 0), 0, { ...entry, changed: now });
}

/** A former line-up as a new change: what differs from the present counts as touched now. */
export const restored = (former: Entries, present: Entries, now: number): Entries =>
  former.map((entry) => (present.includes(entry) ? entry : { ...entry, changed: now }));
