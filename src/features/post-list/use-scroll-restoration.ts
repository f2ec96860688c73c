import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { known, number, optional, shape, string } from '../../../contract/shape.ts';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { distanceFrom, measure, type Place, restore } from './post-elements.ts';
import type { Leaves } from './post-groups.ts';

/** Set by the build; see build/app-bundle.mjs. */
declare const __APP__: boolean;
declare const __EMBEDDED__: boolean;

/** Displayed list, and the position where its reader left it; undefined until that is known. */
export interface Return {
  readonly list: PostList;
  place: Place | null | undefined;
  /** Address at which the list is shown: the list stays mounted for a moment after the history has moved on. */
  at?: string;
}

/**
 * Determines once the position that the reader returns to. `own` is true if the history belongs to the app, and not to a
 * third-party page.
 */
export function findReturn(back: Return, own: boolean): void {
  if (back.place !== undefined) return;
  const { list } = back;
  back.at = address();
  if (__APP__ && own) list.place = readPlace();
  back.place = own || (__EMBEDDED__ && takeReturn()) ? list.place : null;
}

/** Scroll restoration: brings the reader back to the last position before the next paint. */
export function usePlace(
  feed: RefObject<HTMLElement | null>,
  back: Return,
  state: PostListState,
  leaves: Leaves,
  own: boolean,
): void {
  const posts = state.type === 'loaded' ? state.posts : null;
  // The cached posts may end before that position, unlike the pending response; so may the posts that can be rendered so far.
  const isAll = state.type === 'loaded' && state.kept === null && state.older !== 'loading';

  useLayoutEffect(() => {
    findReturn(back, own);
    const { place } = back;
    if (!place || posts === null) return;
    const box = leaves.boxOf(place.key);
    if (box !== undefined || isAll) back.place = null;
    if (box === undefined) return;
    const bring = () => restore(feed.current, place);
    if (!bring()) leaves.send(box, null);
    queueMicrotask(bring);
  }, [feed, posts, back, leaves, isAll, own]);
}

/**
 * Delay after the last scroll event until the position is saved, ms: the shell's own scroll to the top must not be saved as the
 * reader's, and WebKit rejects more than a hundred history updates in half a minute.
 */
const SAVE_DELAY_MS = 350;

/**
 * Saves the scroll position, for Back and, if the history belongs to the app (`own`), for a reload. A resized window keeps its
 * position.
 */
export function useNote(feed: RefObject<HTMLElement | null>, back: Return, own: boolean): void {
  useEffect(() => {
    const { list } = back;
    const write = () => {
      if (__APP__ && own && address() === back.at) writePlace(list.place);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let width = window.innerWidth;
    write();
    const note = () => {
      if (feed.current === null) return;
      // A saved post that is still at its position remains the anchor, although after a resize another post may be the first.
      const strayed = list.place && distanceFrom(list.place, feed.current);
      if (strayed === null || Math.abs(strayed) >= 1) list.place = window.scrollY < 1 ? null : measure(feed.current);
      write();
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(note, SAVE_DELAY_MS);
    };
    const turn = () => {
      if (width === window.innerWidth) return;
      width = window.innerWidth;
      if (list.place !== null) restore(feed.current, list.place);
    };
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', turn);
    window.addEventListener('pagehide', note);
    window.addEventListener('click', note, { capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', turn);
      window.removeEventListener('pagehide', note);
      window.removeEventListener('click', note, { capture: true });
    };
  }, [feed, back, own]);
}

/** Stores a position in this history entry, where a reload finds it too. */
function writePlace(place: PostList['place']): void {
  const former = readPlace();
  if (place?.key === former?.key && place?.offset === former?.offset) return;
  history.replaceState({ ...history.state, changerPlace: place && { ...place, at: address() } }, '');
}

/** Returns the address without its fragment, which identifies history entries. */
export const address = (): string => location.href.split('#', 1)[0] ?? '';

/** Address of the last popstate on a third-party page. One window has one history, so this value belongs to the module. */
let popped: string | null | undefined;

/**
 * Returns once whether the reader of a third-party page came to the current address by Back or Forward. The first call starts
 * recording popstate events.
 */
export function takeReturn(): boolean {
  if (popped === undefined) window.addEventListener('popstate', () => (popped = address()), { capture: true });
  const returned = popped === address();
  popped = null;
  return returned;
}

interface State {
  readonly changerPlace?: Place & { readonly at: string };
}

const parsePlace = shape<NonNullable<State['changerPlace']>>({ at: string, key: string, offset: number, from: optional(string) });
const parseState = known(shape<State>({ changerPlace: known(parsePlace) }));

/**
 * Returns the position in this history entry. It exists only if the reader was there before and came by Back, Forward or a
 * reload, because every new entry starts without one (app/router/router.ts).
 */
export function readPlace(): Place | null {
  const place = parseState(history.state, '')?.changerPlace;
  return place?.at === address() ? place : null;
}
