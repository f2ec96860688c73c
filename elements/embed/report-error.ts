/*
 * Keeps errors in the tags' bundles from becoming errors of the site's: what fails in an answer to a click is told to the
 * document. `reportError` stands in place of the browser's own, in React's code too; the build has our sources add and remove
 * their listeners by the two functions below (build/guarded-listeners.mjs).
 */

/** Tells the document of an error that nothing has caught. */
export function reportError(error: unknown): void {
  const detail = { message: error instanceof Error ? error.message : String(error) };
  document.dispatchEvent(new CustomEvent('changer-failed', { detail }));
}

type Options = boolean | AddEventListenerOptions | undefined;

/** Each listener with what is added in its place. */
const guarded = new WeakMap<EventListener, EventListener>();

/** Adds a listener whose errors are told to the document. */
export function addGuarded(
  target: EventTarget | null | undefined,
  type: string,
  listener: EventListener,
  options?: Options,
): void {
  const own = guarded.get(listener) ?? guard(listener);
  guarded.set(listener, own);
  target?.addEventListener(type, own, options);
}

/** Removes a listener that addGuarded has added. */
export function removeGuarded(
  target: EventTarget | null | undefined,
  type: string,
  listener: EventListener,
  options?: Options,
): void {
  target?.removeEventListener(type, guarded.get(listener) ?? listener, options);
}

const guard = (listener: EventListener): EventListener =>
  function (this: unknown, event) {
    try {
      listener.call(this, event);
    } catch (error) {
      reportError(error);
    }
  };
