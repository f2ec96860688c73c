import type { KeyboardEvent } from 'react';
import { articlesOf } from './use-place.ts';

/** The ARIA feed's keys: Page Up and Page Down go from post to post, wherever in one the focus is. */
export function moveBetweenPosts(event: KeyboardEvent<HTMLElement>): void {
  if ((event.key !== 'PageDown' && event.key !== 'PageUp') || event.ctrlKey || event.altKey || event.metaKey) return;
  const { target, currentTarget } = event;
  if (!(target instanceof Element) || target.closest('input, textarea, select, dialog, video, audio, pre') !== null) return;
  const articles = articlesOf(currentTarget);
  const at = articles.findIndex((article) => article.contains(target));
  const next = articles[at + (event.key === 'PageDown' ? 1 : -1)];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
