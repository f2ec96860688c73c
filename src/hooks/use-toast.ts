import { useCallback, useEffect, useState } from 'react';

/** A short message, with one thing to do about it. */
export interface ToastContent {
  readonly text: string;
  readonly action?: { readonly label: string; run(): void };
}

const SHOWN = 7000;

/** Holds the page's message, which goes by itself after seven seconds. */
export function useToast(): { toast: ToastContent | null; show: (toast: ToastContent | null) => void } {
  const [toast, setToast] = useState<ToastContent | null>(null);
  useEffect(() => {
    if (toast === null) return;
    const timer = setTimeout(() => setToast(null), SHOWN);
    return () => clearTimeout(timer);
  }, [toast]);
  return { toast, show: useCallback((next: ToastContent | null) => setToast(next), []) };
}
