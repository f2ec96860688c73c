/* Suppression of React's own error reports. */

/** Key under which r2wc stores its React root. */
const R2WC_CONTEXT_KEY = Symbol.for('r2wc.context');

/** Build constant; see define-element.ts. */
declare const __EMBEDDED__: boolean;

/**
 * Stops the element's React root from reporting errors that the page's error boundary has caught. On a third-party page
 * it also sends uncaught errors to `onUncaughtError`. React writes the caught ones to the console and throws the others
 * at the window, and on a third-party page both belong to the site. r2wc does not pass the options of createRoot on, so
 * this function changes React's internal root. If another version of React or r2wc stores it elsewhere, only the
 * silence is lost, and a test reports it. Call it before the first render is flushed.
 */
export function silenceReactErrors(element: object, onUncaughtError: (error: unknown) => void): void {
  const internal = property(property(property(element, R2WC_CONTEXT_KEY), 'root'), '_internalRoot');
  if (typeof internal !== 'object' || internal === null) return;
  Reflect.set(internal, 'onCaughtError', () => {});
  if (!__EMBEDDED__) return;
  Reflect.set(internal, 'onRecoverableError', () => {});
  Reflect.set(internal, 'onUncaughtError', onUncaughtError);
}

const property = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
