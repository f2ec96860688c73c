import { startServer } from '../test/support/server.ts';
import { median } from './median.ts';

const RUNS = 5;

/**
 * Startup benchmark: measures the time from the command to the line that reports listening: for a first start, which
 * creates the demo network, and for the next. In ms, medians of 5.
 */
export async function benchStart(): Promise<Record<string, number>[]> {
  const first: number[] = [];
  const second: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    let server: Awaited<ReturnType<typeof startServer>> | undefined;
    first.push(
      await measureDuration(async () => {
        server = await startServer();
      }),
    );
    await server?.halt();
    second.push(await measureDuration(async () => server?.resume()));
    await server?.stop();
  }
  return [{ 'first start': Math.round(median(first)), 'second start': Math.round(median(second)), goal: 2000 }];
}

async function measureDuration(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
