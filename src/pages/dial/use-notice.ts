import { useCallback, useEffect, useState } from 'react';

/** What was just done, said once: read aloud politely, and shown with a way back where it can be undone. */
export interface Notice {
  readonly text: string;
  readonly undo: boolean;
}

const SHOWN = 8000;

/** Holds the one notice of the dial; `hold` keeps it while the pointer or the focus is on it. */
export function useNotice(): {
  readonly notice: Notice | null;
  readonly say: (text: string, undo?: boolean) => void;
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
  const say = useCallback((text: string, undo = false) => setNotice({ text, undo }), []);
  const clear = useCallback(() => setNotice(null), []);
  return { notice, say, clear, hold };
}
