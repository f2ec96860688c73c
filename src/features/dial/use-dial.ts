import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import type { DataClient } from '../../data/model/client.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { usePrefetch } from './use-prefetch.ts';

/** Dial state: the active channel, the previous one, and the direction of the last switch for the card's animation. */
interface DialPosition {
  readonly id: string | null;
  readonly last: string | null;
  readonly direction: 'next' | 'previous' | null;
}

/** State and actions of the dial. An action returns the row that is active now; null if there is no row to switch to. */
export interface DialController {
  readonly current: LineupRow | null;
  readonly last: LineupRow | null;
  readonly direction: DialPosition['direction'];
  flip(by: 1 | -1): LineupRow | null;
  tune(channelId: string): LineupRow | null;
  tuneTo(number: number): LineupRow | null;
  tuneBack(): LineupRow | null;
}

interface StoredDialPosition extends DialPosition {
  readonly asked: string | undefined;
}

/** A reader who returns finds the dial at the same channel, as long as the reader's data layer exists. */
const dialPositions = new WeakMap<DataClient, StoredDialPosition>();
const NO_POSITION: DialPosition = { id: null, last: null, direction: null };

/**
 * Manages the dial over the followed rows. Previous and next step through the rows in `among`; a number selects any row.
 * `asked` is the number in the URL. `onTurn` is called for each switch that a change of the URL causes.
 */
export function useDial(
  rows: readonly LineupRow[],
  among: readonly LineupRow[],
  asked: string | undefined,
  onTurn: (row: LineupRow) => void,
): DialController {
  const { dataClient: channels, host, environment: site } = useServices();
  const own = !site.embedded;
  const [station, setStation] = useState<DialPosition>(() => restorePosition(channels, asked, own));
  const place = useRef(0);
  const found = findRow(among, station.id);
  const current = found ?? standIn() ?? among[0] ?? null;
  const last = findRow(rows, station.last);
  const at = current === null ? -1 : among.indexOf(current);

  /** If the active channel was unfollowed, the row at its position becomes active; after an undo, the channel is active again. */
  function standIn(): LineupRow | undefined {
    if (station.id === null) return among.find((row) => row.number === Number(asked));
    return findRow(rows, station.id) === null ? among[Math.min(place.current, among.length - 1)] : undefined;
  }
  useEffect(() => {
    if (current !== null && station.id === null) setStation({ id: current.channel.id, last: null, direction: null });
    if (station.id !== null) dialPositions.set(channels, { ...station, asked });
    if (found !== null) place.current = among.indexOf(found);
  }, [channels, station, asked, current, found, among]);
  usePersistedPosition(channels, own);
  const turn = (to: LineupRow | null | undefined, way: DialPosition['direction']): LineupRow | null => {
    if (to === null || to === undefined) return null;
    if (to.channel.id === current?.channel.id) return to;
    host.haptic('selection');
    setStation({ id: to.channel.id, last: current?.channel.id ?? null, direction: way });
    return to;
  };
  const turnTo = (row: LineupRow | null | undefined) =>
    turn(row, (row?.number ?? 0) > (current?.number ?? 0) ? 'next' : 'previous');
  const tuneTo = (number: number) => turnTo(rows.find((row) => row.number === number));
  useRequestedNumber(asked, (number) => {
    const row = tuneTo(number);
    if (row !== null) onTurn(row);
  });
  usePrefetch(among, at);

  return {
    current,
    last,
    direction: station.direction,
    flip: (by) => turn(among[(at + by + among.length) % among.length], by === 1 ? 'next' : 'previous'),
    tune: (channelId) => turnTo(findRow(rows, channelId)),
    tuneTo,
    tuneBack: () => turnTo(last),
  };
}

/** Returns the last state of the dial: from this data layer, otherwise from this history entry, where it survives a reload. */
function restorePosition(channels: DataClient, asked: string | undefined, own: boolean): DialPosition {
  const kept = dialPositions.get(channels) ?? (own ? readStoredPosition() : undefined);
  if (kept === undefined || (asked !== undefined && asked !== kept.asked)) return NO_POSITION;
  return { id: kept.id, last: kept.last, direction: null };
}

/** Stores the dial state in the history entry when the page or the dial is left; entries that follow inherit it. */
function usePersistedPosition(channels: DataClient, own: boolean): void {
  useEffect(() => {
    if (!own) return;
    const note = () => {
      const { id, last, asked } = dialPositions.get(channels) ?? { id: null, last: null, asked: undefined };
      history.replaceState({ ...history.state, changerDial: { id, last, asked } }, '');
    };
    window.addEventListener('pagehide', note);
    return () => {
      window.removeEventListener('pagehide', note);
      note();
    };
  }, [channels, own]);
}

function readStoredPosition(): StoredDialPosition | undefined {
  const { id, last, asked } = Object(Object(history.state).changerDial);
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { id: text(id), last: text(last), asked: text(asked) ?? undefined, direction: null };
}

const findRow = (rows: readonly LineupRow[], id: string | null): LineupRow | null =>
  rows.find((row) => row.channel.id === id) ?? null;

/** Switches the channel when the URL names another number while the dial is mounted. */
function useRequestedNumber(asked: string | undefined, turn: (number: number) => void): void {
  const before = useRef(asked);
  useEffect(() => {
    if (asked === before.current) return;
    before.current = asked;
    if (asked !== undefined) turn(Number(asked));
  });
}
