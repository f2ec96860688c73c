/*
 * Handover of a tag's content: what the reader did in its prerendered HTML is applied to the content that replaces it.
 * That is the tag's own page, or newer prerendered HTML. It is part of the chunk of visit.ts.
 */

/** Posts, and rows of the dial. Both versions of a content have the same ones. */
const ITEM_SELECTOR = '[data-key],[data-row]';
/** Text fields whose content the reader may have changed. */
const FIELD_SELECTOR = 'input,textarea';
/** Maximum number of frames in which an element may appear after its page. */
const MAX_FRAMES = 60;

/** Finds an element in the content that replaces its own. */
type Locator = (content: ParentNode) => HTMLElement | undefined;

/**
 * Returns the locator of an element of `content`: by its post, its kind and its position among the visible elements of
 * that kind.
 */
function locatorOf(element: Element, content: Element): Locator {
  const item = element.closest(ITEM_SELECTOR);
  const isSelf = item === element;
  const attribute = item?.hasAttribute('data-key') ? 'data-key' : 'data-row';
  const itemSelector = `[${attribute}="${CSS.escape(item?.getAttribute(attribute) ?? '')}"]`;
  const kind = kindOf(element);
  const listIn = (scope: ParentNode, owner: Element | null) =>
    [...scope.querySelectorAll<HTMLElement>(kind)].filter((each) => each.closest(ITEM_SELECTOR) === owner && isRendered(each));
  const index = listIn(item ?? content, item).indexOf(element as HTMLElement);
  return (replacement) => {
    const twin = item === null ? null : replacement.querySelector<HTMLElement>(itemSelector);
    if (isSelf || (item !== null && twin === null)) return twin ?? undefined;
    return listIn(twin ?? replacement, twin)[index];
  };
}

/** Returns the selector of an element's kind. A fold is a button in the page, and a summary in prerendered HTML. */
function kindOf(element: Element): string {
  if (element.matches('.more')) return '.more';
  for (const name of ['href', 'src', 'name'])
    if (element.hasAttribute(name)) return `${element.localName}[${name}="${CSS.escape(element.getAttribute(name) ?? '')}"]`;
  return `${element.localName}:not(.more)`;
}

const isRendered = (element: Element): boolean => element.getClientRects().length > 0;

/** Returns the first post that is visible; undefined if the content starts below the upper edge of the window. */
function readingPosition(content: Element): Element | undefined {
  if (content.getBoundingClientRect().top >= 0) return undefined;
  const isBelowEdge = (element: Element) => element.getBoundingClientRect().bottom > 0;
  // The boxes of the groups are known without the layout of the posts in them.
  const group = [...content.querySelectorAll('.leaf')].find(isBelowEdge) ?? content;
  return [...group.querySelectorAll(ITEM_SELECTOR)].find(isBelowEdge);
}

/**
 * Records the reading position, the focus, opened folds, playing media and changed text fields of `content`. `tapped` is
 * the element whose tap caused the handover. Returns a function that applies them to the content that has replaced it.
 */
export function recordState(content: HTMLElement, root: ShadowRoot, tapped: Element | null): (replacement: ParentNode) => void {
  const locate = (element: Element) => locatorOf(element, content);
  const { activeElement } = root;
  const focus = activeElement && content.contains(activeElement) ? locate(activeElement) : undefined;
  const tap = tapped && locate(tapped);
  const anchor = tapped?.closest(ITEM_SELECTOR) ?? readingPosition(content);
  const top = anchor?.getBoundingClientRect().top ?? 0;
  const findAnchor = anchor && locate(anchor);
  const folds = [...content.querySelectorAll('.fold[open] > .more')].map(locate);
  const media = [...content.querySelectorAll<HTMLMediaElement>('video,audio')]
    .filter(({ paused }) => !paused)
    .map((element) => [locate(element), element.currentTime] as const);
  const fields = [...content.querySelectorAll<HTMLInputElement>(FIELD_SELECTOR)]
    .filter(({ value, defaultValue }) => value !== defaultValue)
    .map(({ value }, index, all) => [all[index], value] as const)
    .map(([element, value]) => [element && locate(element), value] as const);
  return (replacement) => {
    for (const fold of folds) openFold(fold(replacement));
    for (const [find, time] of media) resumeMedia(find(replacement), time);
    for (const [find, value] of fields) setValue(find?.(replacement), value);
    const shift = (findAnchor?.(replacement)?.getBoundingClientRect().top ?? top) - top;
    if (shift !== 0) scrollerOf(root.host).scrollBy({ top: shift, behavior: 'instant' });
    focus?.(replacement)?.focus({ preventScroll: true });
    if (tap) repeatTap(() => tap(replacement));
  };
}

function openFold(more: HTMLElement | undefined): void {
  const { parentElement: parent } = more ?? {};
  if (parent instanceof HTMLDetailsElement) parent.open = true;
  else more?.click();
}

function resumeMedia(element: HTMLElement | undefined, time: number): void {
  if (!(element instanceof HTMLMediaElement)) return;
  element.currentTime = time;
  element.play().catch(() => {});
}

/** Sets the value of a text field as the reader's input would, so that React notices it. */
function setValue(field: HTMLElement | undefined, value: string): void {
  if (!(field instanceof HTMLInputElement)) return;
  Reflect.set(HTMLInputElement.prototype, 'value', value, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Repeats a tap. Its element may be rendered some frames after the page. */
function repeatTap(find: () => HTMLElement | undefined, frames = MAX_FRAMES): void {
  const element = find();
  if (element instanceof HTMLFormElement) element.requestSubmit();
  else if (element !== undefined) {
    element.focus({ preventScroll: true });
    element.click();
  } else if (frames > 0) requestAnimationFrame(() => repeatTap(find, frames - 1));
}

/** Returns what scrolls the tag: an element of the site, or the window. */
function scrollerOf(tag: Element): Element | Window {
  for (let element = tag.parentElement; element !== null; element = element.parentElement)
    if (element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY)) return element;
  return window;
}
