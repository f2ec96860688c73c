import { type Fallback, keepFallback, keepPlace } from './fallback-content.ts';
import { openedBy } from './post-link-click.ts';
import { DRAWN, MAX_AT_ONCE, served } from './prerender.ts';

/** What is seen to of a tag, until it is gone. */
interface Attendance {
  readonly fallback: Fallback | null;
  end(): void;
}

/** The tags that have begun. */
const begun = new Set<HTMLElement>();
/** How each tag that waits begins. */
const waiting = new Map<Element, () => void>();
const observers = new Map<string, IntersectionObserver>();
const attended = new WeakMap<HTMLElement, Attendance>();

/**
 * Sees to a tag on a foreign page: its children stand in until its content is there, and the page hears what happens in it. A
 * root that was served with content needs no other until that is taken out.
 */
export function attend(tag: HTMLElement, slotted: boolean): void {
  const root = tag.shadowRoot;
  if (root === null || served(root).length > 0 || isOurs(tag)) return;
  const held = attended.get(tag);
  if (held === undefined) attended.set(tag, begin(tag, root, slotted));
  else held.fallback?.place();
}

/**
 * With `loading="lazy"` a tag waits until it is near the window, and without it where many have begun already. One that is not
 * laid out waits until it is.
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
  // Far enough for the content to be there when the reader is; percent are of the window.
  observerOf(isLazy ? '600px' : '200%').observe(tag);
  return true;
}

function observerOf(margin: string): IntersectionObserver {
  // scrollMargin does the same for a part of the page that scrolls by itself; older browsers ignore it.
  const options = { rootMargin: margin, scrollMargin: margin };
  const held = observers.get(margin) ?? new IntersectionObserver(approached, options);
  observers.set(margin, held);
  return held;
}

function approached(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    // A tag that only its content stands for has no box, and is near nothing.
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

/** The app hands its tags services. */
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
