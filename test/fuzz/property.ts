import fc from 'fast-check';

/** How often a property is tried, and from which seed; `ms` ends it earlier. */
export interface Effort {
  readonly runs: number;
  readonly seed: number;
  readonly ms?: number;
}

/** How it went; `fault` tells the smallest value that broke it. */
export interface Tried {
  readonly runs: number;
  readonly fault: string | null;
}

/** Something that holds for every value. */
export interface Property {
  readonly name: string;
  readonly tried: (effort: Effort) => Promise<Tried>;
}

/** Makes a property of a check that throws; `examples` are values that broke it once, and are tried in every run. */
export const property = <Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  check: (value: Value) => unknown,
  examples: readonly Value[] = [],
): Property => ({
  name,
  tried: async ({ runs, seed, ms }) => {
    const details = await fc.check(
      fc.asyncProperty(values, async (value) => void (await check(value))),
      {
        ...{ numRuns: runs, seed, examples: examples.map((value): [Value] => [value]), endOnFailure: false },
        ...(ms !== undefined && { interruptAfterTimeLimit: ms, markInterruptAsFailure: false }),
      },
    );
    return { runs: details.numRuns, fault: details.failed ? (fc.defaultReportMessage(details) ?? 'it failed') : null };
  },
});

/** Runs a reader that may refuse with errors of its own kinds alone; null where it did. */
export const orRefused = <Read>(read: () => Read, ...kinds: readonly (new (...given: never[]) => Error)[]): Read | null => {
  try {
    return read();
  } catch (error) {
    if (kinds.some((kind) => error instanceof kind)) return null;
    throw error;
  }
};
