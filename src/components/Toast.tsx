import { leavesFocusToHeading } from './focus/focus-successor.ts';

interface ToastProps {
  readonly toast: { readonly text: string; readonly action?: { readonly label: string; run(): void } } | null;
}

/** Shows a short message at the bottom and reads it aloud; its place for screen readers stands from the start. */
export function Toast({ toast }: ToastProps) {
  return (
    <div role="status">
      {toast !== null && (
        <p className="toast">
          <span className="spring">{toast.text}</span>
          {toast.action !== undefined && (
            <button ref={leavesFocusToHeading} type="button" onClick={toast.action.run}>
              {toast.action.label}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
