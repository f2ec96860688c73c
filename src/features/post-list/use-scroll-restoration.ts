import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { lenient, number, optional, shape, string } from '../../../contract/shape.ts';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { readHistoryState, writeHistoryState } from '../../lib/history-state.ts';
import { distanceFromAnchor, measureScrollAnchor, type ScrollAnchor, scrollToAnchor } from './post-elements.ts';
import type { PostGroups } from './post-groups.ts';

/** Set by the build; see build/app-bundle.mjs. */
declare const __APP__: boolean;
declare const __EMBEDDED__: boolean;

/** Displayed list, and the scroll position at which the reader left it; undefined until that is known. */
export interface ScrollRestoration {
  readonly list: PostList;
  anchor: ScrollAnchor | null | undefined;
  /** URL at which the list is shown: the list stays mounted for a moment after a navigation. */
  address?: string;
}

/**
 * Determines once the position to which the reader returns. `isAppPage` is true if the history belongs to the app, and
 * not to a third-party page.
 */
export function initScrollRestoration(restoration: ScrollRestoration, isAppPage: boolean): void {
  if (restoration.anchor !== undefined) return;
  const { list } = restoration;
  restoration.address = currentAddress();
  if (__APP__ && isAppPage) list.scrollAnchor = readScrollAnchor();
  restoration.anchor = isAppPage || (__EMBEDDED__ && takeHistoryReturn()) ? list.scrollAnchor : null;
}

/** Scroll restoration: scrolls back to the reader's last position before the next paint. */
export function useScrollRestoration(
  feed: RefObject<HTMLElement | null>,
  restoration: ScrollRestoration,
  state: PostListState,
  postGroups: PostGroups,
  isAppPage: boolean,
): void {
  const posts = state.type === 'loaded' ? state.posts : null;
  // If the posts are cached, or not all of them can be rendered yet, a later state may contain the saved position.
  const isFinal = state.type === 'loaded' && state.cachedAt === null && state.older !== 'loading';

  useLayoutEffect(() => {
    initScrollRestoration(restoration, isAppPage);
    const { anchor } = restoration;
    if (!anchor || posts === null) return;
    const element = postGroups.elementOf(anchor.key);
    if (element !== undefined || isFinal) restoration.anchor = null;
    if (element === undefined) return;
    const scrollBack = () => scrollToAnchor(feed.current, anchor);
    if (!scrollBack()) postGroups.setPlaceholderHeight(element, null);
    queueMicrotask(scrollBack);
  }, [feed, posts, restoration, postGroups, isFinal, isAppPage]);
}

/**
 * Delay after the last scroll event until the position is saved, ms: the shell's own scroll to the top must not be
 * saved as the reader's, and WebKit rejects more than a hundred history updates in half a minute.
 */
const SAVE_DELAY_MS = 350;

/**
 * Saves the scroll position, for Back and, if the history belongs to the app (`isAppPage`), for a reload. A resized
 * window keeps its position.
 */
export function useSaveScroll(feed: RefObject<HTMLElement | null>, restoration: ScrollRestoration, isAppPage: boolean): void {
  useEffect(() => {
    const { list } = restoration;
    const saveAnchor = () => {
      if (__APP__ && isAppPage && currentAddress() === restoration.address) saveScrollAnchor(list.scrollAnchor);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Read at the first scroll: at the mounting it would force a layout of all posts.
    let width: number | null = null;
    saveAnchor();
    const updateAnchor = () => {
      if (feed.current === null) return;
      // A saved post that is still at its position remains the anchor, although after a resize another post may be the
      // first.
      const drift = list.scrollAnchor && distanceFromAnchor(list.scrollAnchor, feed.current);
      if (drift === null || Math.abs(drift) >= 1)
        list.scrollAnchor = window.scrollY < 1 ? null : measureScrollAnchor(feed.current);
      saveAnchor();
    };
    const scheduleUpdate = () => {
      width ??= window.innerWidth;
      clearTimeout(timer);
      timer = setTimeout(updateAnchor, SAVE_DELAY_MS);
    };
    const onResize = () => {
      if (width === window.innerWidth) return;
      width = window.innerWidth;
      if (list.scrollAnchor !== null) scrollToAnchor(feed.current, list.scrollAnchor);
    };
    window.addEventListener('scroll', scheduleUpdate, { passive: true });
    window.addEventListener('resize', onResize);
    window.addEventListener('pagehide', updateAnchor);
    window.addEventListener('click', updateAnchor, { capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', scheduleUpdate);
      window.removeEventListener('resize', onResize);
      window.removeEventListener('pagehide', updateAnchor);
      window.removeEventListener('click', updateAnchor, { capture: true });
    };
  }, [feed, restoration, isAppPage]);
}

/** Stores a position in this history entry, where a reload finds it too. */
function saveScrollAnchor(anchor: PostList['scrollAnchor']): void {
  const saved = readScrollAnchor();
  if (anchor?.key === saved?.key && anchor?.offset === saved?.offset) return;
  writeHistoryState({ changerPlace: anchor && { ...anchor, at: currentAddress() } });
}

/** Returns the address without its fragment, which identifies history entries. */
const currentAddress = (): string => location.href.split('#', 1)[0] ?? '';

/**
 * Address of the last popstate on a third-party page; undefined before the first call of `takeHistoryReturn`. One
 * window has one history, so this value belongs to the module.
 */
let poppedAddress: string | null | undefined;

/**
 * Returns true, once, if the reader of a third-party page reached the current address by Back or Forward. The first
 * call starts to record popstate events.
 */
function takeHistoryReturn(): boolean {
  if (poppedAddress === undefined)
    window.addEventListener('popstate', () => (poppedAddress = currentAddress()), { capture: true });
  const returned = poppedAddress === currentAddress();
  poppedAddress = null;
  return returned;
}

const parseScrollAnchor = lenient(
  shape<ScrollAnchor & { readonly at: string }>({ at: string, key: string, offset: number, from: optional(string) }),
);

/**
 * Returns the position in this history entry. It exists only if the reader returned by Back, Forward or a reload,
 * because every new entry starts without one (app/router/router.ts).
 */
function readScrollAnchor(): ScrollAnchor | null {
  const anchor = parseScrollAnchor(readHistoryState('changerPlace'), '');
  return anchor?.at === currentAddress() ? anchor : null;
}
