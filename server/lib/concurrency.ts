/** Open streams, of all and of one reader or address: more are turned away, and come when the reader returns to the page. */
export interface Places {
  /** Takes a place; null when there is none. The answer gives it back. */
  take(whose: string): (() => void) | null;
  count(): number;
}

/** A process holds some ten thousand sockets; an address may be that of a whole office. */
export const MOST = { all: 8000, each: 100 };

export function createPlaces(most = MOST): Places {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(whose) {
      const own = taken.get(whose) ?? 0;
      if (all >= most.all || own >= most.each) return null;
      all++;
      taken.set(whose, own + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        all--;
        const rest = (taken.get(whose) ?? 1) - 1;
        if (rest > 0) taken.set(whose, rest);
        else taken.delete(whose);
      };
    },
    count: () => all,
  };
}
