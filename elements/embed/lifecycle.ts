/** Lifecycle controller of embedded tags on third-party pages: lazy mounting, fallback content and events. */
import { type Fallback, keepFallback, keepPlace } from './fallback-content.ts';
import { openedBy } from './post-link-click.ts';
import { DRAWN, MAX_AT_ONCE, served } from './prerender.ts';

/** Resources of a tag, until it is removed. */
interface Attendance {
  readonly fallback: Fallback | null;
  end(): void;
}

/** The tags that have started to mount. */
const begun = new Set<HTMLElement>();
/** Mount function of each tag that waits. */
const waiting = new Map<Element, () => void>();
const observers = new Map<string, IntersectionObserver>();
const attended = new WeakMap<HTMLElement, Attendance>();

/**
 * Starts the lifecycle of a tag on a third-party page: its children are fallback content until its own content is ready, and the
 * page receives its events. A root with server-rendered content needs no fallback until that content is removed.
 */
export function attend(tag: HTMLElement, slotted: boolean): void {
  const root = tag.shadowRoot;
  if (root === null || served(root).length > 0 || isOurs(tag)) return;
  const held = attended.get(tag);
  if (held === undefined) attended.set(tag, begin(tag, root, slotted));
  else held.fallback?.place();
}

/**
 * Returns whether a tag waits. With `loading="lazy"` it waits until it is near the viewport; without it, only if `MAX_AT_ONCE`
 * tags have started already. A tag that is not laid out waits until it is.
 */
export function waits(tag: HTMLElement, mount: () => void): boolean {
  const loading = tag.getAttribute('loading');
  stopWaiting(tag);
  const isLazy = loading === 'lazy';
  const isFree = loading === 'eager' || DRAWN in tag || begun.size < MAX_AT_ONCE;
  if (isOurs(tag) || (!isLazy && isFree)) {
    begun.add(tag);
    return false;
  }
  waiting.set(tag, () => {
    begun.add(tag);
    mount();
  });
  if (tag.shadowRoot !== null) keepPlace(tag.shadowRoot);
  // The margin is large enough for the content to be ready when the reader arrives. Percentages are relative to the viewport.
  observerOf(isLazy ? '600px' : '200%').observe(tag);
  return true;
}

function observerOf(margin: string): IntersectionObserver {
  // scrollMargin has the same effect for a scroll container inside the page; older browsers ignore it.
  const options = { rootMargin: margin, scrollMargin: margin };
  const held = observers.get(margin) ?? new IntersectionObserver(approached, options);
  observers.set(margin, held);
  return held;
}

function approached(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    // A tag with `display: contents` has no box, so it never intersects. It starts immediately.
    if (!isIntersecting && getComputedStyle(target).display !== 'contents') continue;
    const begin = waiting.get(target);
    stopWaiting(target);
    begin?.();
  }
}

function stopWaiting(tag: Element): void {
  waiting.delete(tag);
  for (const observer of observers.values()) observer.unobserve(tag);
}

export const renew = (tag: HTMLElement): void => attended.get(tag)?.fallback?.renew();

export function leave(tag: HTMLElement): void {
  stopWaiting(tag);
  begun.delete(tag);
  attended.get(tag)?.end();
  attended.delete(tag);
}

/** Returns whether the app owns the tag: only the app sets the services of its tags. */
const isOurs = (tag: HTMLElement): boolean => Reflect.get(tag, 'services') !== undefined;

function begin(tag: HTMLElement, root: ShadowRoot, slotted: boolean): Attendance {
  const tell = (type: string, detail: object, cancelable = false): boolean =>
    tag.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  const open = (event: Event): void => {
    const opened = openedBy(event);
    if (opened !== null && !tell('changer-post-opened', opened, true)) event.preventDefault();
  };
  root.addEventListener('click', open);
  root.addEventListener('auxclick', open);
  const fallback = slotted ? null : keepFallback(root, (count) => tell('changer-loaded', { count }));
  return {
    fallback,
    end() {
      root.removeEventListener('click', open);
      root.removeEventListener('auxclick', open);
      fallback?.end();
    },
  };
}
