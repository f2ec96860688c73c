import { useEffect, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Line-up hint: explains the line-up once to a new reader. */
export function LineupHint({ rows }: { readonly rows: readonly LineupRow[] }) {
  const m = useMsg();
  const [shown, dismiss] = useLineupHint(rows);
  if (!shown || rows.length === 0) return null;
  const getAll = m.msg(
    '=0: There is no channel yet. | one: You follow the one channel there is. | =2: You follow both. Unfollow what you don’t want. | other: You follow all #. Unfollow what you don’t want.',
  );
  return (
    <p className="lineup-note hint">
      <span>{m.plural(rows.length, getAll)}</span>
      <button type="button" className="icon-button" aria-label={m.msg('Close this hint')} onClick={dismiss}>
        <Icon name="close" small />
      </button>
    </p>
  );
}

const HINT_KEY = 'channel-changer.dial-hint';

/** Returns whether to show the hint to a new reader: once on this device, until the first change or a dismissal. */
export function useLineupHint(rows: readonly LineupRow[]): readonly [shown: boolean, dismiss: () => void] {
  const { environment } = useServices();
  const [shown, setShown] = useState(() => !environment.embedded && !isHintSeen());
  const hasChanges = rows.some((row) => row.entry.changed !== undefined || !row.followed);
  const dismiss = () => {
    saveHintSeen();
    setShown(false);
  };
  useEffect(() => {
    if (shown && hasChanges) dismiss();
  });
  return [shown && !hasChanges, dismiss];
}

function isHintSeen(): boolean {
  try {
    return localStorage.getItem(HINT_KEY) !== null;
  } catch {
    return false; // if storage is blocked, the hint only shows again
  }
}

function saveHintSeen(): void {
  try {
    localStorage.setItem(HINT_KEY, 'seen');
  } catch {
    // see isHintSeen
  }
}
