import { useMemo, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import type { DataClient } from '../../data/model/client.ts';
import type { PostList } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import type { VisitReadMarkers } from './read-progress.ts';

/**
 * Visit marks: the read markers at the time when each list was first shown. A list that Back restores has its divider
 * at the same position.
 */
const visitMarksByList = new WeakMap<PostList, VisitReadMarkers['readMarkers']>();

/** Returns true if a missing marker means a first visit, and not that the reader's markers are still loading. */
function areMarksKnown({ session, lineup }: DataClient): boolean {
  const rows = lineup.get();
  const sessionType = session.get().type;
  return rows.type === 'loaded' && (sessionType === 'anonymous' || (sessionType === 'signed-in' && rows.cachedAt === null));
}

/**
 * Returns the read markers at the reader's arrival, so that the divider does not move while reading; null while
 * unknown.
 */
export function useVisitMarks(list: PostList, channels: VisitReadMarkers['channels'] | null): VisitReadMarkers | null {
  const { dataClient } = useServices();
  const marks = useSignalValue(dataClient.readMarkers);
  useSignalValue(dataClient.session);
  const marksByList = useRef(visitMarksByList).current;
  // A first visit has no markers at its start. The markers that it creates later must not replace this empty set.
  if (channels !== null && !marksByList.has(list) && (marks.size > 0 || areMarksKnown(dataClient))) marksByList.set(list, marks);
  const savedMarks = channels === null ? undefined : marksByList.get(list);
  return useMemo(
    () => (savedMarks === undefined || channels === null ? null : { readMarkers: savedMarks, channels }),
    [savedMarks, channels],
  );
}
