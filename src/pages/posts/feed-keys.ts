import { type RefObject, useEffect } from 'react';
import type { Leaves } from './leaves.ts';
import { reveal } from './reveal.ts';
import { articlesOf } from './use-place.ts';

/** The ARIA feed's keys: Page Up and Page Down go from post to post, wherever in one the focus is. */
export function useFeedKeys(feed: RefObject<HTMLElement | null>, leaves: Leaves): void {
  useEffect(() => {
    const element = feed.current;
    if (element === null) return;
    const move = (event: KeyboardEvent) => moveBetweenPosts(event, element, leaves);
    element.addEventListener('keydown', move);
    return () => element.removeEventListener('keydown', move);
  }, [feed, leaves]);
}

function moveBetweenPosts(event: KeyboardEvent, feed: HTMLElement, leaves: Leaves): void {
  if ((event.key !== 'PageDown' && event.key !== 'PageUp') || event.ctrlKey || event.altKey || event.metaKey) return;
  const { target } = event;
  if (!(target instanceof Element) || target.closest('input, textarea, select, dialog, video, audio, pre') !== null) return;
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
