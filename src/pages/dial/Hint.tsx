import type { LineupRow } from '../../channels/types.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useHint } from './use-hint.ts';

/** Tells a new reader once what the line-up is. */
export function Hint({ rows }: { readonly rows: readonly LineupRow[] }) {
  const m = useMsg();
  const [shown, dismiss] = useHint(rows);
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
