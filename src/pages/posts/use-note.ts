import { type RefObject, useEffect } from 'react';
import type { PostList } from '../../channels/types.ts';
import { measure } from './measure.ts';
import { address, readPlace } from './returned.ts';
import { distanceFrom, type Return, restore } from './use-place.ts';

/** Put in place by the build; see build/web.mjs. */
declare const __APP__: boolean;

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
