import { useExpiringValue } from './use-expiring-value.ts';

/** Toast: a short message with an optional action. */
export interface ToastContent {
  readonly text: string;
  readonly action?: { readonly label: string; run(): void };
}

/** Time for which a toast is shown, ms. */
const TOAST_DURATION_MS = 7000;

/** Manages the page's toast, which disappears after seven seconds without the pointer or the focus on it. */
export function useToast() {
  const { value: toast, set: show, hold } = useExpiringValue<ToastContent>(TOAST_DURATION_MS);
  return { toast, show, hold };
}
