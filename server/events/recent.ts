/** Remembers for some minutes when events were told, for readers who began to read before they listened. */
export interface Past {
  /** Notes that what comes after this position is being told now. */
  passed(position: number): void;
  /** The position so many milliseconds ago; `now` where nothing was told since, null where that was before this process. */
  positionAt(ago: number, now: number): number | null;
}

/** So long, ms. */
export const REMEMBERED = 10 * 60_000;
/** Answers that were read then may have been written a little before. */
export const SLACK = 2000;

export function createPast(clock: () => number): Past {
  const begun = clock();
  const told: { readonly at: number; readonly position: number }[] = [];
  return {
    passed(position) {
      const at = clock();
      const old = told.findIndex((one) => one.at >= at - REMEMBERED);
      told.splice(0, old === -1 ? told.length : old);
      told.push({ at, position });
    },
    positionAt(ago, now) {
      const since = clock() - ago;
      if (ago === 0) return now;
      if (since < begun) return null;
      return told.find(({ at }) => at >= since - SLACK)?.position ?? now;
    },
  };
}
