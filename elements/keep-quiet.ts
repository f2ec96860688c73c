/** r2wc keeps its React root under this key. */
const CONTEXT = Symbol.for('r2wc.context');

/**
 * Tells the element's React root not to report errors that the page's boundary has caught: React writes them to the console,
 * which on a foreign page is not ours. r2wc does not pass createRoot's `onCaughtError` on, hence the reach into the root; a
 * React or an r2wc that keeps it elsewhere only costs the silence, and a test says so. Call before the first render is flushed.
 */
export function keepQuiet(element: object): void {
  const internal = property(property(property(element, CONTEXT), 'root'), '_internalRoot');
  if (typeof internal === 'object' && internal !== null) Reflect.set(internal, 'onCaughtError', () => {});
}

const property = (of: unknown, key: PropertyKey): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined;
