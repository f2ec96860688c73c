/** Lifecycle controller of embedded tags on third-party pages: lazy mounting, fallback content and events. */
import type { ContentStatus } from '../../src/components/content-status.ts';
import { type FallbackContent, reserveSpace, showFallbackUntilReady } from './fallback-content.ts';
import { openedPost } from './post-link-click.ts';
import { DEFERRED_MARGIN, LAZY_MARGIN, MAX_EAGER_TAGS, PRERENDER_KEY, prerenderOf, servedChildren } from './prerender.ts';

/** Fallback content and event listeners of a connected tag. */
interface Attachment {
  /** Null if the page itself shows the tag's children. */
  readonly fallback: FallbackContent | null;
  end(): void;
}

/** The tags that have started to mount. */
const startedTags = new Set<HTMLElement>();
/** Mount function of each tag that waits. */
const deferredMounts = new Map<Element, () => void>();
/** Observers by their margin. */
const observers = new Map<string, IntersectionObserver>();
const attachments = new WeakMap<HTMLElement, Attachment>();

/**
 * Starts the lifecycle of a tag on a third-party page: its children are fallback content until its own content is
 * ready, and the page receives its events. A root with server-rendered content needs no fallback until that content is
 * removed. `slotted` is as in the tag's definition (elements/element-types.ts).
 */
export function attach(tag: HTMLElement, slotted: boolean): void {
  const root = tag.shadowRoot;
  if (root === null || servedChildren(root).length > 0 || isAppTag(tag)) return;
  const existing = attachments.get(tag);
  if (existing === undefined) attachments.set(tag, createAttachment(tag, root, slotted));
  else existing.fallback?.insertSlot();
}

/**
 * Returns whether a tag waits. With `loading="lazy"` it waits until it is near the viewport; without it, only if
 * `MAX_EAGER_TAGS` tags have started already. A tag that is not laid out waits until it is.
 */
export function deferMount(tag: HTMLElement, mount: () => void): boolean {
  const loading = tag.getAttribute('loading');
  cancelDeferredMount(tag);
  const isLazy = loading === 'lazy';
  const mayStartNow = loading === 'eager' || PRERENDER_KEY in tag || startedTags.size < MAX_EAGER_TAGS;
  if (isAppTag(tag) || (!isLazy && mayStartNow)) {
    startedTags.add(tag);
    return false;
  }
  deferredMounts.set(tag, () => {
    startedTags.add(tag);
    mount();
  });
  if (tag.shadowRoot !== null) reserveSpace(tag.shadowRoot);
  // The margin is large enough for the content to be ready when the reader arrives.
  observerOf(isLazy ? LAZY_MARGIN : DEFERRED_MARGIN).observe(tag);
  return true;
}

function observerOf(margin: string): IntersectionObserver {
  // scrollMargin has the same effect for a scroll container inside the page; older browsers ignore it.
  const options = { rootMargin: margin, scrollMargin: margin };
  const observer = observers.get(margin) ?? new IntersectionObserver(onApproach, options);
  observers.set(margin, observer);
  return observer;
}

function onApproach(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    // A tag with `display: contents` has no box, so it never intersects. It starts immediately.
    if (!isIntersecting && getComputedStyle(target).display !== 'contents') continue;
    const mount = deferredMounts.get(target);
    cancelDeferredMount(target);
    mount?.();
  }
}

function cancelDeferredMount(tag: Element): void {
  deferredMounts.delete(tag);
  for (const observer of observers.values()) observer.unobserve(tag);
}

/** Returns the receiver of the state of a tag's content. */
export const contentStatus = (tag: HTMLElement): ContentStatus | undefined => attachments.get(tag)?.fallback?.contentStatus;

/** Called when a tag's attributes select other content. */
export function reset(tag: HTMLElement): void {
  takeReport(tag);
  attachments.get(tag)?.fallback?.reset();
}

/** Returns whether the loader has reported the content of a tag already. The next content is reported again. */
function takeReport(tag: HTMLElement): boolean {
  const prerender = prerenderOf(tag);
  const isReported = prerender?.isReported ?? false;
  if (prerender) prerender.isReported = false;
  return isReported;
}

/** Ends the lifecycle of a tag that was removed. */
export function detach(tag: HTMLElement): void {
  cancelDeferredMount(tag);
  startedTags.delete(tag);
  attachments.get(tag)?.end();
  attachments.delete(tag);
}

/** Returns whether the app owns the tag: only the app sets the services of its tags. */
const isAppTag = (tag: HTMLElement): boolean => Reflect.get(tag, 'services') !== undefined;

function createAttachment(tag: HTMLElement, root: ShadowRoot, slotted: boolean): Attachment {
  const emit = (type: string, detail: object, cancelable = false): boolean =>
    tag.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  const onClick = (event: Event): void => {
    const post = openedPost(event);
    // The site can cancel the event, and with it the browser's navigation.
    if (post !== null && !emit('changer-post-opened', post, true)) event.preventDefault();
  };
  root.addEventListener('click', onClick);
  root.addEventListener('auxclick', onClick);
  const onLoaded = (count: number): void => {
    if (!takeReport(tag)) emit('changer-loaded', { count });
  };
  const fallback = slotted ? null : showFallbackUntilReady(root, onLoaded);
  return {
    fallback,
    end() {
      root.removeEventListener('click', onClick);
      root.removeEventListener('auxclick', onClick);
      fallback?.end();
    },
  };
}
