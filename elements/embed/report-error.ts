/*
 * Error reporting of embedded tags: prevents errors in the tags' bundles from becoming errors of the site. An error in
 * a click handler is reported to the document. `reportError` replaces the browser's function of this name, in React's
 * code too. The build makes our sources add and remove their listeners with the two functions below
 * (build/guarded-listeners.mjs).
 */

/** Reports an uncaught error to the document. */
export function reportError(error: unknown): void {
  const detail = { message: error instanceof Error ? error.message : String(error) };
  document.dispatchEvent(new CustomEvent('changer-failed', { detail }));
}

type ListenerOptions = boolean | AddEventListenerOptions | undefined;

/** Maps each listener to its guarded version. */
const guardedListeners = new WeakMap<EventListener, EventListener>();

/** Adds a listener whose errors are reported to the document. */
export function addGuarded(
  target: EventTarget | null | undefined,
  type: string,
  listener: EventListener,
  options?: ListenerOptions,
): void {
  const guardedListener = guardedListeners.get(listener) ?? guard(listener);
  guardedListeners.set(listener, guardedListener);
  target?.addEventListener(type, guardedListener, options);
}

/** Removes a listener that `addGuarded` has added. */
export function removeGuarded(
  target: EventTarget | null | undefined,
  type: string,
  listener: EventListener,
  options?: ListenerOptions,
): void {
  target?.removeEventListener(type, guardedListeners.get(listener) ?? listener, options);
}

const guard = (listener: EventListener): EventListener =>
  function (this: unknown, event) {
    try {
      listener.call(this, event);
    } catch (error) {
      reportError(error);
    }
  };
