/* Prerendered HTML of a tag: the values and functions that the loader and the tag's code share. */

/**
 * Key under which a tag's loader stores, on the tag, the promise of the prerendered HTML that it shows; see loader.ts.
 */
export const PRERENDER_KEY = Symbol.for('changer.drawn');

/**
 * Maximum number of tags that mount immediately, wherever they are on a page. Further tags wait until they are near the
 * viewport.
 */
export const MAX_EAGER_TAGS = 10;

/**
 * Promise that resolves when a tag's prerendered HTML is in its root. The value is the responses from which the server
 * rendered it: JSON, as HydratedResponses of src/api/hydration.ts.
 */
export type PrerenderPromise = Promise<string | null>;

/**
 * Returns whether a tag must wait because its prerendered HTML is still loading. `mount` is called when that HTML is
 * inserted, after `onResponses` received the responses from which it was rendered, or when it is known to be
 * unavailable.
 */
export function waitForPrerender(tag: HTMLElement, onResponses: (responses: string) => void, mount: () => void): boolean {
  const prerender = Reflect.get(tag, PRERENDER_KEY) as PrerenderPromise | undefined;
  if (prerender === undefined) return false;
  void prerender.then((responses) => {
    Reflect.deleteProperty(tag, PRERENDER_KEY);
    if (responses !== null) onResponses(responses);
    if (tag.isConnected) mount();
  });
  return true;
}

/**
 * Returns the server-rendered nodes of a root whose page has not mounted: all but the prerendered HTML that a loader
 * shows.
 */
export const servedChildren = (root: ShadowRoot | null): ChildNode[] =>
  [...(root?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.matches('.drawn')));
