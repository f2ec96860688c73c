import { headingFocusSuccessor } from './focus/focus-successor.ts';
import { holdHandlers } from './hold-handlers.ts';

interface ToastProps {
  readonly toast: { readonly text: string; readonly action?: { readonly label: string; run(): void } } | null;
  /** Stops the timer of the toast while `isHeld` is true. */
  readonly hold: (isHeld: boolean) => void;
}

/**
 * Toast: shows a short message at the bottom, which screen readers announce. The live region is present from the start.
 */
export function Toast({ toast, hold }: ToastProps) {
  return (
    <div role="status">
      {toast !== null && (
        <p className="toast" {...holdHandlers(hold)}>
          <span className="spring">{toast.text}</span>
          {toast.action !== undefined && (
            <button ref={headingFocusSuccessor} type="button" onClick={toast.action.run}>
              {toast.action.label}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
