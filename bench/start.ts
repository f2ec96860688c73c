import { startServer } from '../test/support/server.ts';

/** Measures from the command to the listening line: a first start, which makes the demo network, and the next. ms, medians of 5. */
export async function benchStart(): Promise<Record<string, number>[]> {
  const first: number[] = [];
  const second: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    let server: Awaited<ReturnType<typeof startServer>> | undefined;
    first.push(
      await timed(async () => {
        server = await startServer();
      }),
    );
    await server?.halt();
    second.push(await timed(async () => server?.resume()));
    await server?.stop();
  }
  return [{ 'first start': median(first), 'second start': median(second), goal: 2000 }];
}

async function timed(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

const median = (values: readonly number[]): number => Math.round(values.toSorted((one, other) => one - other)[2] ?? 0);
