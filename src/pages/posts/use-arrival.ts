import { useMemo, useRef } from 'react';
import type { PostList } from '../../channels/channels.ts';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import type { Arrival } from './reading.ts';

/** The marks as they were when each list was first shown; a list that Back finds again has its divider where it was. */
const arrivals = new WeakMap<PostList, Arrival['marks']>();

/** Gives what was read on the reader's arrival, so that the divider stays put while reading; null while it is not known. */
export function useArrival(list: PostList, channels: Arrival['channels'] | null): Arrival | null {
  const marks = useReadable(useServices().channels.marks);
  const known = useRef(arrivals).current;
  if (channels !== null && marks.size > 0 && !known.has(list)) known.set(list, marks);
  const former = channels === null ? undefined : known.get(list);
  return useMemo(() => (former === undefined || channels === null ? null : { marks: former, channels }), [former, channels]);
}
