/** The first post, otherwise the heading of the page. */
const CONTENT_SELECTORS = ['[role=feed] article', 'h1'] as const;

/**
 * Focus fallback: creates a ref for an element that may be removed while it has the focus, such as a button whose task
 * is done. The first element that matches one of these selectors gets the focus.
 */
export const focusSuccessor = (selectors: readonly string[]) => (element: HTMLElement | null) => {
  const root = element?.getRootNode();
  return () => {
    // At this time the element is still in the document, and its replacement is not rendered yet. The dynamic import
    // defers the move.
    if (root instanceof ShadowRoot && element?.contains(root.activeElement))
      import('./move-focus.ts').then(
        ({ moveFocusTo }) => moveFocusTo(root, selectors),
        () => {},
      );
  };
};

export const contentFocusSuccessor = focusSuccessor(CONTENT_SELECTORS);
export const headingFocusSuccessor = focusSuccessor(['h1']);
