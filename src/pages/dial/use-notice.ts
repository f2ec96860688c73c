import { useCallback, useEffect, useState } from 'react';

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
