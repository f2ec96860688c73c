/** r2wc keeps its React root under this key. */
const CONTEXT = Symbol.for('r2wc.context');

/** Put in place by the build; see define-element.ts. */
declare const __EMBEDDED__: boolean;

/**
 * Tells the element's React root not to report errors that the page's boundary has caught, and on a foreign page to give others
 * to `failed`: React writes the ones to the console and throws the others at the window, and neither is ours there. r2wc does
 * not pass createRoot's options on, hence the reach into the root; a React or an r2wc that keeps it elsewhere only costs the
 * silence, and a test says so. Call before the first render is flushed.
 */
export function keepQuiet(element: object, failed: (error: unknown) => void): void {
  const internal = property(property(property(element, CONTEXT), 'root'), '_internalRoot');
  if (typeof internal !== 'object' || internal === null) return;
  Reflect.set(internal, 'onCaughtError', () => {});
  if (!__EMBEDDED__) return;
  Reflect.set(internal, 'onRecoverableError', () => {});
  Reflect.set(internal, 'onUncaughtError', failed);
}

const property = (of: unknown, key: PropertyKey): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined;
