import { useRef } from 'react';
import type { PostList } from '../../channels/channels.ts';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';

/** The marks as they were when each list was first shown; a list that Back finds again has its divider where it was. */
const arrivals = new WeakMap<PostList, ReadonlyMap<string, number>>();

/** Gives the marks of the reader's arrival, so that the divider stays put while reading; null while none are known. */
export function useArrival(list: PostList, wanted: boolean): ReadonlyMap<string, number> | null {
  const marks = useReadable(useServices().channels.marks);
  const lists = useRef(arrivals);
  if (!wanted) return null;
  if (!lists.current.has(list) && marks.size > 0) lists.current.set(list, marks);
  return lists.current.get(list) ?? null;
}
