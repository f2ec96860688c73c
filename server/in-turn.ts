/** Lets so many run at a time; the others wait their turn. */
export const inTurn = (most: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((next) => waiting.push(next));
    running += 1;
    try {
      return await act();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
};
