/** What the Tab key stops at before and after an element, through the tags and slots that it stands in. */
export function waysOut(element: HTMLElement): {
  readonly before: HTMLElement | undefined;
  readonly after: HTMLElement | undefined;
} {
  const stops = [...stopsIn(document.body)];
  const isInside = (stop: HTMLElement): boolean => element.contains(stop);
  return { before: stops[stops.findIndex(isInside) - 1], after: stops[stops.findLastIndex(isInside) + 1] };
}

function* stopsIn(node: ParentNode): Generator<HTMLElement> {
  for (const child of node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : node.children) {
    if (!(child instanceof HTMLElement) || child.inert || child.matches(':disabled')) continue;
    if (child.tabIndex >= 0 && child.checkVisibility({ visibilityProperty: true })) yield child;
    yield* stopsIn(child.shadowRoot ?? child);
  }
}
