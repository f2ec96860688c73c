/** The first post, else what the page is called. */
const CONTENT = ['[role=feed] article', 'h1'] as const;

/** Makes the ref of what may go while the focus is in it, as a button does whose work is done: one of these takes the focus. */
export const leavesFocusTo = (selectors: readonly string[]) => (element: HTMLElement | null) => {
  const root = element?.getRootNode();
  return () => {
    // It stands for the last moment: what takes its place is not there yet.
    if (root instanceof ShadowRoot && element?.contains(root.activeElement))
      import('./move-focus.ts').then(
        ({ passFocus }) => passFocus(root, selectors),
        () => {},
      );
  };
};

export const leavesFocusToContent = leavesFocusTo(CONTENT);
export const leavesFocusToHeading = leavesFocusTo(['h1']);
