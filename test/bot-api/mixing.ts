/** Creates a random number generator (mulberry32) for numbers in [0, 1). The same seed gives the same numbers. */
export const seeded = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let shuffleAndRepeat = Math.imul(state ^ (state >>> 15), state | 1);
    shuffleAndRepeat ^= shuffleAndRepeat + Math.imul(shuffleAndRepeat ^ (shuffleAndRepeat >>> 7), shuffleAndRepeat | 61);
    return ((shuffleAndRepeat ^ (shuffleAndRepeat >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Shuffles items. The same seed gives the same order. */
export const shuffled = <Item>(items: readonly Item[], seed: number): Item[] => {
  const random = seeded(seed);
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index--) {
    const randomIndex = Math.floor(random() * (index + 1));
    const [one, two] = [mixed[index], mixed[randomIndex]];
    if (one !== undefined && two !== undefined) [mixed[index], mixed[randomIndex]] = [two, one];
  }
  return mixed;
};

/** Shuffles items and repeats a share of them (0 to 1). For `release`. */
export const mixed =
  (seed: number, share = 0) =>
  <Item>(items: readonly Item[]): Item[] => {
    const random = seeded(seed + 1);
    return shuffled([...items, ...items.filter(() => random() < share)], seed);
  };
