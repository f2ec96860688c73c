import { useMsg } from '../../i18n/i18n.ts';
import type { useNotice } from './use-notice.ts';

/**
 * The dial's one voice: reads aloud what was done, once; where it can be undone, or nothing else shows it, it is seen too. The
 * status stands from the start, because a region that comes with its words is often not read.
 */
export function UndoToast({ notice, hold, undo }: ReturnType<typeof useNotice> & { readonly undo: () => void }) {
  const { msg } = useMsg();
  const seen = notice?.shown === true;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while the pointer or the focus is on it
    <div
      className={seen ? 'toast' : 'hidden'}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <span className="voice" role="status" aria-live="polite">
        {notice?.text}
      </span>
      {notice?.undo && (
        <button type="button" onClick={undo}>
          {msg('Undo')}
        </button>
      )}
    </div>
  );
}
