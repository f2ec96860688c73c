import { type RefObject, useEffect } from 'react';
import type { Leaves } from './leaves.ts';
import { reveal } from './reveal.ts';
import { articlesOf } from './use-place.ts';
import { waysOut } from './ways-out.ts';

/** The ARIA feed's keys: Page Up and Page Down go from post to post, wherever in one the focus is; Control with Home or End, out. */
export function useFeedKeys(feed: RefObject<HTMLElement | null>, leaves: Leaves): void {
  useEffect(() => {
    const element = feed.current;
    if (element === null) return;
    const move = (event: KeyboardEvent) => {
      if (isElsewhere(event)) return;
      if (event.ctrlKey) moveOut(event, element);
      else moveBetweenPosts(event, element, leaves);
    };
    element.addEventListener('keydown', move);
    return () => element.removeEventListener('keydown', move);
  }, [feed, leaves]);
}

/** Whether a key belongs to what it was pressed in, or to the browser. */
const isElsewhere = ({ target, altKey, metaKey, shiftKey, ctrlKey }: KeyboardEvent): boolean =>
  altKey ||
  metaKey ||
  (ctrlKey && shiftKey) ||
  !(target instanceof Element) ||
  target.closest('input, textarea, select, dialog, video, audio, pre') !== null;

function moveOut(event: KeyboardEvent, feed: HTMLElement): void {
  if (event.key !== 'Home' && event.key !== 'End') return;
  const { before, after } = waysOut(feed);
  const way = event.key === 'Home' ? before : after;
  if (way === undefined) return;
  event.preventDefault();
  way.focus();
}

function moveBetweenPosts(event: KeyboardEvent, feed: HTMLElement, leaves: Leaves): void {
  const { target } = event;
  if ((event.key !== 'PageDown' && event.key !== 'PageUp') || !(target instanceof Element)) return;
  const leaf = target.closest('.leaf');
  reveal(leaves, leaf?.previousElementSibling);
  reveal(leaves, leaf?.nextElementSibling);
  const articles = articlesOf(feed);
  const at = articles.findIndex((article) => article.contains(target));
  const next = articles[at + (event.key === 'PageDown' ? 1 : -1)];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
