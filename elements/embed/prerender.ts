/** Under this a tag's loader keeps, at the tag, the promise of what it shows of it first; see loader.ts. */
export const DRAWN = Symbol.for('changer.drawn');

/** So many tags begin at once wherever they stand on a page; of more, those near the window do. */
export const MAX_AT_ONCE = 10;

/** What the server drew of a tag, as it stands in its root, was drawn of these answers: JSON, as Given of src/api/hydration.ts. */
export type Drawing = Promise<string | null>;

/**
 * Whether a tag is not to begin yet, because what the server drew of it is on its way; `mount` is called when that stands, after
 * `give` had the answers that it was drawn of, or when it is known not to come.
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

/** What stands in a root before its page, but for what a loader shows. */
export const served = (root: ShadowRoot | null): ChildNode[] =>
  [...(root?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.matches('.drawn')));
