import { useMemo, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import type { Channels } from '../../data/model/client.ts';
import type { PostList } from '../../data/model/types.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import type { Arrival } from './read-progress.ts';

/** The marks as they were when each list was first shown; a list that Back finds again has its divider where it was. */
const arrivals = new WeakMap<PostList, Arrival['marks']>();

/** Whether a missing mark means a first look, and not that the reader's marks have yet to come. */
export function knowsMarks({ reader, lineup }: Channels): boolean {
  const rows = lineup.get();
  const who = reader.get().type;
  return rows.type === 'loaded' && (who === 'anonymous' || (who === 'signed-in' && rows.kept === null));
}

/** Gives what was read on the reader's arrival, so that the divider stays put while reading; null while it is not known. */
export function useArrival(list: PostList, channels: Arrival['channels'] | null): Arrival | null {
  const { channels: services } = useServices();
  const marks = useReadable(services.marks);
  useReadable(services.reader);
  const known = useRef(arrivals).current;
  // At a first look there are none, and those that come of it are no arrival's.
  if (channels !== null && !known.has(list) && (marks.size > 0 || knowsMarks(services))) known.set(list, marks);
  const former = channels === null ? undefined : known.get(list);
  return useMemo(() => (former === undefined || channels === null ? null : { marks: former, channels }), [former, channels]);
}
