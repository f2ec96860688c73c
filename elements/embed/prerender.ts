/** Key under which a tag's loader stores, on the tag, the promise of the prerendered HTML that it shows; see loader.ts. */
export const DRAWN = Symbol.for('changer.drawn');

/**
 * Maximum number of tags that mount immediately, wherever they are on a page. Further tags wait until they are near the viewport.
 */
export const MAX_AT_ONCE = 10;

/**
 * Promise that resolves when a tag's prerendered HTML is in its root. The value is the responses from which the server rendered
 * it: JSON, as Given of src/api/hydration.ts.
 */
export type Drawing = Promise<string | null>;

/**
 * Returns whether a tag must wait because its prerendered HTML is still loading. `mount` is called when that HTML is in place,
 * after `give` received the responses from which it was rendered, or when it is known to be unavailable.
 */
export function awaitsDrawing(tag: HTMLElement, give: (answers: string) => void, mount: () => void): boolean {
  const drawing = Reflect.get(tag, DRAWN) as Drawing | undefined;
  if (drawing === undefined) return false;
  void drawing.then((answers) => {
    Reflect.deleteProperty(tag, DRAWN);
    if (answers !== null) give(answers);
    if (tag.isConnected) mount();
  });
  return true;
}

/** Returns the nodes that are in a root before its page, except the content that a loader shows. */
export const served = (root: ShadowRoot | null): ChildNode[] =>
  [...(root?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.matches('.drawn')));
