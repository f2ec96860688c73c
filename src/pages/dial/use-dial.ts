import { useEffect, useRef, useState } from 'react';
import type { Channels, LineupRow } from '../../channels/channels.ts';
import { useServices } from '../services.ts';

/** Where the dial stands: the channel that is on, the one before it, and the way of the last flip for the card's motion. */
interface Station {
  readonly id: string | null;
  readonly last: string | null;
  readonly way: 'next' | 'previous' | null;
}

/** What the dial shows and what can be done to it. A turn gives the row that is on now, null where there is nothing to turn to. */
export interface Dial {
  readonly current: LineupRow | null;
  readonly last: LineupRow | null;
  readonly way: Station['way'];
  flip(by: 1 | -1): LineupRow | null;
  tune(channelId: string): LineupRow | null;
  tuneTo(number: number): LineupRow | null;
  tuneBack(): LineupRow | null;
}

/** A reader who comes back finds the dial where it was; the place dies with the reader's data area. */
const stations = new WeakMap<Channels, Station & { readonly asked: string | undefined }>();
const OFF: Station = { id: null, last: null, way: null };

/** Holds the dial over the followed rows; `asked` is the number in the address. */
export function useDial(rows: readonly LineupRow[], asked: string | undefined): Dial {
  const { channels, host } = useServices();
  const [station, setStation] = useState<Station>(() => keptStation(channels, asked));
  const place = useRef(0);
  const found = find(rows, station.id);
  // Where a channel was turned off, the one in its place is on; undone, it is on again.
  const standIn =
    station.id === null ? rows.find((row) => row.number === Number(asked)) : rows[Math.min(place.current, rows.length - 1)];
  const current = found ?? standIn ?? rows[0] ?? null;
  const last = find(rows, station.last);
  const at = current === null ? -1 : rows.indexOf(current);

  useEffect(() => {
    if (current !== null && station.id === null) setStation({ id: current.channel.id, last: null, way: null });
    if (station.id !== null) stations.set(channels, { ...station, asked });
    if (found !== null) place.current = rows.indexOf(found);
  }, [channels, station, asked, current, found, rows]);
  const turn = (to: LineupRow | null | undefined, way: Station['way']): LineupRow | null => {
    if (to === null || to === undefined) return null;
    if (to.channel.id === current?.channel.id) return to;
    host.haptic('selection');
    setStation({ id: to.channel.id, last: current?.channel.id ?? null, way });
    return to;
  };
  const turnTo = (index: number) => turn(rows[index], index > at ? 'next' : 'previous');
  useAsked(asked, (number) => turnTo(number - 1));
  useNeighbours(rows, at);

  return {
    current,
    last,
    way: station.way,
    flip: (by) => turn(rows[(at + by + rows.length) % rows.length], by === 1 ? 'next' : 'previous'),
    tune: (channelId) => turnTo(rows.findIndex((row) => row.channel.id === channelId)),
    tuneTo: (number) => turnTo(number - 1),
    tuneBack: () => (last === null ? null : turnTo(rows.indexOf(last))),
  };
}

function keptStation(channels: Channels, asked: string | undefined): Station {
  const kept = stations.get(channels);
  if (kept === undefined || (asked !== undefined && asked !== kept.asked)) return OFF;
  return { id: kept.id, last: kept.last, way: null };
}

const find = (rows: readonly LineupRow[], id: string | null): LineupRow | null =>
  rows.find((row) => row.channel.id === id) ?? null;

/** Turns when the address comes to ask for another number while the dial stands. */
function useAsked(asked: string | undefined, turn: (number: number) => void): void {
  const before = useRef(asked);
  useEffect(() => {
    if (asked === before.current) return;
    before.current = asked;
    if (asked !== undefined) turn(Number(asked));
  });
}

/** Reads the neighbours' posts ahead, so that a flip shows them at once. */
function useNeighbours(rows: readonly LineupRow[], at: number): void {
  const { channels } = useServices();
  const neighbours = at < 0 ? [] : [at + 1, at - 1 + rows.length].map((index) => rows[index % rows.length]?.channel.id);
  const ids = neighbours.join(' ');
  useEffect(() => {
    const releases = ids
      .split(' ')
      .filter(Boolean)
      .map((id) => channels.latest(id).subscribe(() => {}));
    return () => {
      for (const release of releases) release();
    };
  }, [channels, ids]);
}
