import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Milliseconds of work after which the event loop runs. */
const SLICE_MS = 10;

/** Maps items in slices of 10 ms, between which the event loop runs. */
export async function mapInSlices<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Promise<Result[]> {
  const mapped: Result[] = [];
  let began = performance.now();
  for (const item of items) {
    mapped.push(map(item));
    if (performance.now() - began < SLICE_MS) continue;
    await yieldToEventLoop();
    began = performance.now();
  }
  return mapped;
}
