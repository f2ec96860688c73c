import type { PostList } from '../../channels/types.ts';
import { articlesOf } from './use-place.ts';

/** Below the sticky bar, where a reader's eye is taken to be, px. */
export const LINE = 110;

/** The first post that reaches below the bar, and where it stands; found by halving, so that few are measured. */
export function measure(feed: HTMLElement | null): PostList['place'] {
  const articles = articlesOf(feed);
  let low = 0;
  let high = articles.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((articles[middle]?.getBoundingClientRect().bottom ?? 0) > LINE) high = middle;
    else low = middle + 1;
  }
  const found = articles[low];
  return found === undefined ? null : { key: found.dataset.key ?? '', offset: found.getBoundingClientRect().top };
}
