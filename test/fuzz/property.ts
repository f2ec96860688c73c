import fc from 'fast-check';

/** Number of runs of a property, and their seed. `ms` ends them earlier. */
export interface RunOptions {
  readonly runs: number;
  readonly seed: number;
  readonly ms?: number;
}

/** The result. `fault` describes the smallest failing value. */
export interface RunResult {
  readonly runs: number;
  readonly fault: string | null;
}

/** A statement that is true for every value. */
export interface Property {
  readonly name: string;
  readonly tried: (effort: RunOptions) => Promise<RunResult>;
}

/** Creates a property from a check that throws. `examples` are values that failed once, and are tried in every run. */
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

/** Runs a parser that may reject a value only with errors of the given classes. Returns null if it does. */
export const orNullIfRejected = <Read>(
  read: () => Read,
  ...kinds: readonly (new (
    ...given: never[]
  ) => Error)[]
): Read | null => {
  try {
    return read();
  } catch (error) {
    if (kinds.some((kind) => error instanceof kind)) return null;
    throw error;
  }
};
