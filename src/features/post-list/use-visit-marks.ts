import { useMemo, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import type { Channels } from '../../data/model/client.ts';
import type { PostList } from '../../data/model/types.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import type { Arrival } from './read-progress.ts';

/**
 * Visit marks: the read markers at the time when each list was first shown. A list that Back restores has its divider at the
 * same position.
 */
const arrivals = new WeakMap<PostList, Arrival['marks']>();

/** Returns true if a missing marker means a first visit, and not that the reader's markers are still loading. */
export function knowsMarks({ reader, lineup }: Channels): boolean {
  const rows = lineup.get();
  const who = reader.get().type;
  return rows.type === 'loaded' && (who === 'anonymous' || (who === 'signed-in' && rows.kept === null));
}

/** Returns the read markers at the reader's arrival, so that the divider does not move while reading; null while unknown. */
export function useArrival(list: PostList, channels: Arrival['channels'] | null): Arrival | null {
  const { channels: services } = useServices();
  const marks = useReadable(services.marks);
  useReadable(services.reader);
  const known = useRef(arrivals).current;
  // At a first visit there are none, and the markers that this visit creates are not those of an arrival.
  if (channels !== null && !known.has(list) && (marks.size > 0 || knowsMarks(services))) known.set(list, marks);
  const former = channels === null ? undefined : known.get(list);
  return useMemo(() => (former === undefined || channels === null ? null : { marks: former, channels }), [former, channels]);
}
