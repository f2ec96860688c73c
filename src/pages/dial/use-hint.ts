import { useEffect, useState } from 'react';
import type { LineupRow } from '../../channels/types.ts';
import { useServices } from '../services.ts';

const KEY = 'channel-changer.dial-hint';

/** Whether a new reader is told of the line-up: once on this device, until the first change or a dismissal. */
export function useHint(rows: readonly LineupRow[]): readonly [shown: boolean, dismiss: () => void] {
  const { site } = useServices();
  const [shown, show] = useState(() => !site.embedded && !isSeen());
  const touched = rows.some((row) => row.entry.changed !== undefined || !row.followed);
  const dismiss = () => {
    see();
    show(false);
  };
  useEffect(() => {
    if (shown && touched) dismiss();
  });
  return [shown && !touched, dismiss];
}

function isSeen(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // a blocked storage only means that the hint comes again
  }
}

function see(): void {
  try {
    localStorage.setItem(KEY, 'seen');
  } catch {
    // see isSeen
  }
}
