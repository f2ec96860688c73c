import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import type { DataClient } from '../../data/model/client.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { readHistoryState, writeHistoryState } from '../../lib/history-state.ts';
import { usePrefetch } from './use-prefetch.ts';

/** Dial state: the active channel, the previous one, and the direction of the last switch for the card's animation. */
interface DialPosition {
  /** Id of the active channel. */
  readonly id: string | null;
  /** Id of the channel that was active before. */
  readonly last: string | null;
  readonly direction: 'next' | 'previous' | null;
}

/**
 * State and actions of the dial. An action returns the row that is active now; null if there is no row to switch to.
 */
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
  /** Number that the URL named. The name is that of the stored field. */
  readonly asked: string | undefined;
}

/**
 * Dial position by data client: a reader who returns to the page finds the same channel, while the data client exists.
 */
const dialPositions = new WeakMap<DataClient, StoredDialPosition>();
const NO_POSITION: DialPosition = { id: null, last: null, direction: null };

/**
 * Manages the dial over the followed rows. Previous and next step through the rows in `presetRows`; a number selects
 * any row. `requestedNumber` is the number in the URL. `onUrlSwitch` is called for each switch that a change of the URL
 * causes.
 */
export function useDial(
  rows: readonly LineupRow[],
  presetRows: readonly LineupRow[],
  requestedNumber: string | undefined,
  onUrlSwitch: (row: LineupRow) => void,
): DialController {
  const { dataClient, host, environment } = useServices();
  const isApp = !environment.embedded;
  const [position, setPosition] = useState<DialPosition>(() => restorePosition(dataClient, requestedNumber, isApp));
  const lastIndex = useRef(0);
  const selected = findRow(presetRows, position.id);
  const current = selected ?? fallbackRow() ?? presetRows[0] ?? null;
  const last = findRow(rows, position.last);
  const index = current === null ? -1 : presetRows.indexOf(current);

  /**
   * If the active channel was unfollowed, the row at its position becomes active; after an undo, the channel is active
   * again.
   */
  function fallbackRow(): LineupRow | undefined {
    if (position.id === null) return presetRows.find((row) => row.number === Number(requestedNumber));
    return findRow(rows, position.id) === null ? presetRows[Math.min(lastIndex.current, presetRows.length - 1)] : undefined;
  }
  useEffect(() => {
    if (current !== null && position.id === null) setPosition({ id: current.channel.id, last: null, direction: null });
    if (position.id !== null) dialPositions.set(dataClient, { ...position, asked: requestedNumber });
    if (selected !== null) lastIndex.current = presetRows.indexOf(selected);
  }, [dataClient, position, requestedNumber, current, selected, presetRows]);
  usePersistedPosition(dataClient, isApp);
  const switchTo = (target: LineupRow | null | undefined, direction: DialPosition['direction']): LineupRow | null => {
    if (target === null || target === undefined) return null;
    if (target.channel.id === current?.channel.id) return target;
    host.haptic('selection');
    setPosition({ id: target.channel.id, last: current?.channel.id ?? null, direction });
    return target;
  };
  const switchToRow = (row: LineupRow | null | undefined) =>
    switchTo(row, (row?.number ?? 0) > (current?.number ?? 0) ? 'next' : 'previous');
  const tuneTo = (number: number) => switchToRow(rows.find((row) => row.number === number));
  useRequestedNumber(requestedNumber, (number) => {
    const row = tuneTo(number);
    if (row !== null) onUrlSwitch(row);
  });
  usePrefetch(presetRows, index);

  return {
    current,
    last,
    direction: position.direction,
    flip: (by) => switchTo(presetRows[(index + by + presetRows.length) % presetRows.length], by === 1 ? 'next' : 'previous'),
    tune: (channelId) => switchToRow(findRow(rows, channelId)),
    tuneTo,
    tuneBack: () => switchToRow(last),
  };
}

/**
 * Returns the last state of the dial: from this data client, otherwise from this history entry, where it survives a
 * reload. A number in the URL that is new has precedence.
 */
function restorePosition(dataClient: DataClient, requestedNumber: string | undefined, isApp: boolean): DialPosition {
  const { id, last, asked } = dialPositions.get(dataClient) ?? Object(isApp && readHistoryState('changerDial'));
  if (requestedNumber !== undefined && requestedNumber !== asked) return NO_POSITION;
  return { id: toStringOrNull(id), last: toStringOrNull(last), direction: null };
}

const toStringOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Stores the dial state in the history entry when the reader leaves the page or the dial; later entries inherit it. */
function usePersistedPosition(dataClient: DataClient, isApp: boolean): void {
  useEffect(() => {
    if (!isApp) return;
    const save = () => writeHistoryState({ changerDial: dialPositions.get(dataClient) ?? NO_POSITION });
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [dataClient, isApp]);
}

const findRow = (rows: readonly LineupRow[], id: string | null): LineupRow | null =>
  rows.find((row) => row.channel.id === id) ?? null;

/** Switches the channel when the URL names another number while the dial is mounted. */
function useRequestedNumber(requestedNumber: string | undefined, switchTo: (number: number) => void): void {
  const previous = useRef(requestedNumber);
  useEffect(() => {
    if (requestedNumber === previous.current) return;
    previous.current = requestedNumber;
    if (requestedNumber !== undefined) switchTo(Number(requestedNumber));
  });
}
