import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { known, number, optional, shape, string } from '../../../contract/shape.ts';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { distanceFrom, measure, type Place, restore } from './post-elements.ts';
import type { Leaves } from './post-groups.ts';

/** Put in place by the build; see build/app-bundle.mjs. */
declare const __APP__: boolean;
declare const __EMBEDDED__: boolean;

/** A list that is shown, and where its reader was when he left it; undefined until that is known. */
export interface Return {
  readonly list: PostList;
  place: Place | null | undefined;
  /** The address where the list is shown: it is still there for a moment when the history has gone on. */
  at?: string;
}

/** Finds out, once, where the reader returns to; `own` says that the history is ours, and not a foreign page's. */
export function findReturn(back: Return, own: boolean): void {
  if (back.place !== undefined) return;
  const { list } = back;
  back.at = address();
  if (__APP__ && own) list.place = readPlace();
  back.place = own || (__EMBEDDED__ && takeReturn()) ? list.place : null;
}

/** Brings the reader back to where he was, before anything is painted. */
export function usePlace(
  feed: RefObject<HTMLElement | null>,
  back: Return,
  state: PostListState,
  leaves: Leaves,
  own: boolean,
): void {
  const posts = state.type === 'loaded' ? state.posts : null;
  // What is kept on the device may not reach so far as the answer that is on its way, nor the posts that can be drawn already.
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
 * A scroll is noted when it rests, ms: the shell's own jump to the top must not be taken for the reader's, and WebKit refuses
 * more than a hundred notes in half a minute.
 */
const REST = 350;

/** Notes where the reader is, to be found by Back and, where the history is ours (`own`), by a reload; a turned window keeps it. */
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
      // A post that stands where it was noted is still the place, although in a turned window another one comes first.
      const strayed = list.place && distanceFrom(list.place, feed.current);
      if (strayed === null || Math.abs(strayed) >= 1) list.place = window.scrollY < 1 ? null : measure(feed.current);
      write();
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(note, REST);
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

/** Keeps a place in this entry of the history, where a reload finds it too. */
function writePlace(place: PostList['place']): void {
  const former = readPlace();
  if (place?.key === former?.key && place?.offset === former?.offset) return;
  history.replaceState({ ...history.state, changerPlace: place && { ...place, at: address() } }, '');
}

/** The address as entries of the history are told apart by. */
export const address = (): string => location.href.split('#', 1)[0] ?? '';

/** Where the history of a foreign page led last. One window has one history, so this one note belongs to the module. */
let popped: string | null | undefined;

/** Says once whether a foreign page's reader came to the present address by Back or Forward; that is noted from now on. */
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
 * The place that this entry of the history holds: its reader was there before, and came by Back, Forward or a reload, since
 * every new entry begins without one (app/router/router.ts).
 */
export function readPlace(): Place | null {
  const place = parseState(history.state, '')?.changerPlace;
  return place?.at === address() ? place : null;
}
