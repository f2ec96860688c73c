import { useEffect, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { LINEUP_HINT_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';

/** Line-up hint: explains the line-up once to a new reader. */
export function LineupHint({ rows }: { readonly rows: readonly LineupRow[] }) {
  const m = useMsg();
  const [shown, dismiss] = useLineupHint(rows);
  if (!shown || rows.length === 0) return null;
  const pluralForms = m.msg(
    '=0: There is no channel yet. | one: You follow the one channel there is. | =2: You follow both. Unfollow what you don’t want. | other: You follow all #. Unfollow what you don’t want.',
  );
  return (
    <p className="lineup-note hint">
      <span>{m.plural(rows.length, pluralForms)}</span>
      <button type="button" className="icon-button" aria-label={m.msg('Close this hint')} onClick={dismiss}>
        <Icon name="close" small />
      </button>
    </p>
  );
}

/** Returns whether to show the hint to a new reader: once on this device, until the first change or a dismissal. */
function useLineupHint(rows: readonly LineupRow[]): readonly [shown: boolean, dismiss: () => void] {
  const { environment } = useServices();
  const [storedHint] = useState(() => createStoredValue('device', LINEUP_HINT_KEY));
  const [shown, setShown] = useState(() => !environment.embedded && storedHint.read() === null);
  const hasChanges = rows.some((row) => row.entry.changed !== undefined || !row.followed);
  const dismiss = () => {
    storedHint.write('seen');
    setShown(false);
  };
  useEffect(() => {
    if (shown && hasChanges) dismiss();
  });
  return [shown && !hasChanges, dismiss];
}
