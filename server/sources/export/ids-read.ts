import { countField, isRaw } from '../../lib/unknown-fields.ts';

/** Notes the message ids of an export: from the first to the last it holds all that there still is, but for those that could not be read. */
export const idsRead = () => {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  const unread = new Set<number>();
  return {
    add(value: unknown, isRead: boolean): void {
      const id = isRaw(value) ? countField(value, 'id') : undefined;
      if (!id) return;
      [first, last] = [Math.min(first, id), Math.max(last, id)];
      if (!isRead) unread.add(id);
    },
    /** Ranges of ids, both ends included. */
    ranges(): [from: number, to: number][] {
      const cuts = [first - 1, ...[...unread].sort((one, other) => one - other), last + 1];
      return cuts.slice(1).flatMap((cut, at): [number, number][] => {
        const from = (cuts[at] ?? 0) + 1;
        return from <= cut - 1 ? [[from, cut - 1]] : [];
      });
    },
  };
};
