/* Prerendered HTML of a tag: the values and functions that the loader and the tag's code share. */

/** Key under which a tag's loader stores, on the tag, the state of the prerendered HTML that it shows; see loader.ts. */
export const PRERENDER_KEY = Symbol.for('changer.prerender');

/**
 * Maximum number of tags that mount immediately, wherever they are on a page. Further tags wait until they are near the
 * viewport.
 */
export const MAX_EAGER_TAGS = 10;

/** Distance from the viewport at which a tag with `loading="lazy"` mounts. */
export const LAZY_MARGIN = '600px';
/** The same distance for a tag beyond `MAX_EAGER_TAGS`. Percentages are relative to the viewport. */
export const DEFERRED_MARGIN = '200%';

/** Posts and rows of the line-up: their number is sent with `changer-loaded`. */
export const COUNTED_SELECTOR = 'article,[data-row]';

/** State of a tag's prerendered HTML. */
export interface Prerender {
  /**
   * Resolves when the tag is to mount. The value is the responses from which the server rendered its HTML: JSON, as
   * HydratedResponses of src/api/hydration.ts. It is null if there is no prerendered HTML.
   */
  readonly responses: Promise<string | null>;
  /** True when the tag has mounted with these responses. */
  isUsed?: boolean;
  /** True if the loader has dispatched `changer-loaded` for this content. */
  isReported?: boolean;
  /**
   * Called before the prerendered HTML is removed. Returns a function that applies to the page what the reader did in
   * it; it is called when the HTML is removed.
   */
  handOver?(prerendered: Element): () => void;
}

/** Returns the state of a tag's prerendered HTML; undefined if there is none. */
export const prerenderOf = (tag: Element): Prerender | undefined => Reflect.get(tag, PRERENDER_KEY) as Prerender | undefined;

/**
 * Returns whether a tag must wait: for its prerendered HTML, or until its loader lets it mount. `mount` is called then,
 * after `onResponses` received the responses from which the HTML was rendered.
 */
export function waitForPrerender(tag: HTMLElement, onResponses: (responses: string) => void, mount: () => void): boolean {
  const prerender = prerenderOf(tag);
  if (prerender === undefined || prerender.isUsed) return false;
  void prerender.responses.then((responses) => {
    // A tag that was moved while it waited waits twice.
    if (prerender.isUsed || !tag.isConnected) return;
    prerender.isUsed = true;
    if (responses !== null) onResponses(responses);
    mount();
  });
  return true;
}

/**
 * Returns the server-rendered nodes of a root whose page has not mounted: all but the prerendered HTML that a loader
 * shows.
 */
export const servedChildren = (root: ShadowRoot | null): ChildNode[] =>
  [...(root?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.matches('.drawn')));
