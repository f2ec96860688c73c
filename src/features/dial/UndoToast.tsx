import { useCallback } from 'react';
import { holdHandlers } from '../../components/hold-handlers.ts';
import { useExpiringValue } from '../../hooks/use-expiring-value.ts';
import { useMsg } from '../../i18n/i18n.ts';

/**
 * Undo toast: the dial's live region, which announces each action once. It is also visible if the action can be undone,
 * or if nothing else shows it. The status element is mounted from the start, because screen readers often skip a live
 * region that is mounted together with its text.
 */
export function UndoToast({ notice, hold, undo }: ReturnType<typeof useUndoToast> & { readonly undo: () => void }) {
  const { msg } = useMsg();
  const isVisible = notice?.isVisible === true;
  return (
    <div className={isVisible ? 'toast' : 'hidden'} {...holdHandlers(hold)}>
      <span className="voice" role="status" aria-live="polite">
        {notice?.text}
      </span>
      {notice?.canUndo && (
        <button type="button" onClick={undo}>
          {msg('Undo')}
        </button>
      )}
    </div>
  );
}

/**
 * Notice of the last action. Screen readers announce it once. `undo` is true if the action can be undone; `shown` is
 * true if the notice is visible.
 */
export interface UndoToastContent {
  readonly text: string;
  readonly canUndo: boolean;
  readonly isVisible: boolean;
}

/** Announces a text, with an undo button if `undo` is true; `shown` makes it visible also without one. */
export type Announce = (text: string, undo?: boolean, shown?: boolean) => void;

const TOAST_DURATION_MS = 8000;

/** Stores the dial's single notice. `hold(true)` stops its timer while the pointer or the focus is on it. */
export function useUndoToast(): {
  readonly notice: UndoToastContent | null;
  readonly announce: Announce;
  readonly hold: (isHeld: boolean) => void;
} {
  const { value: notice, set, hold } = useExpiringValue<UndoToastContent>(TOAST_DURATION_MS);
  const announce: Announce = useCallback(
    (text, canUndo = false, isVisible = canUndo) => set({ text, canUndo, isVisible }),
    [set],
  );
  return { notice, announce, hold };
}
