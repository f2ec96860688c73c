import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Duration of a slice of work, ms. */
const SLICE_MS = 10;

/**
 * Maps items in slices of 10 ms and yields to the event loop between them, so that other requests do not wait for the
 * end.
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const mapped: Result[] = [];
  let startedAt = performance.now();
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    if (performance.now() - startedAt < SLICE_MS) continue;
    await yieldToEventLoop();
    startedAt = performance.now();
  }
  return mapped;
}
