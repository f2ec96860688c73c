import { useCallback, useEffect, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';

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

/** What was just done, said once: read aloud politely, and shown where it can be undone, or where nothing else shows it. */
export interface Notice {
  readonly text: string;
  readonly undo: boolean;
  readonly shown: boolean;
}

/** Says a text, with a way back where `undo` is true; `shown` also without one. */
export type Say = (text: string, undo?: boolean, shown?: boolean) => void;

const SHOWN = 8000;

/** Holds the one notice of the dial; `hold` keeps it while the pointer or the focus is on it. */
export function useNotice(): {
  readonly notice: Notice | null;
  readonly say: Say;
  readonly clear: () => void;
  readonly hold: (held: boolean) => void;
} {
  const [notice, setNotice] = useState<Notice | null>(null);
  const [held, hold] = useState(false);
  useEffect(() => {
    if (notice === null || held) return;
    const timer = setTimeout(() => setNotice(null), SHOWN);
    return () => clearTimeout(timer);
  }, [notice, held]);
  const say: Say = useCallback((text, undo = false, shown = undo) => setNotice({ text, undo, shown }), []);
  const clear = useCallback(() => setNotice(null), []);
  return { notice, say, clear, hold };
}
