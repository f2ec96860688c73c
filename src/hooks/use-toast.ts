import { useCallback, useEffect, useState } from 'react';

/** Toast: a short message with an optional action. */
export interface ToastContent {
  readonly text: string;
  readonly action?: { readonly label: string; run(): void };
}

const TOAST_DURATION_MS = 7000;

/** Manages the page's toast, which disappears after seven seconds. */
export function useToast(): { toast: ToastContent | null; show: (toast: ToastContent | null) => void } {
  const [toast, setToast] = useState<ToastContent | null>(null);
  useEffect(() => {
    if (toast === null) return;
    const timer = setTimeout(() => setToast(null), TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return { toast, show: useCallback((next: ToastContent | null) => setToast(next), []) };
}
