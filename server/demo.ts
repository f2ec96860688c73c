import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Store } from './store/store.ts';

/** Where the demo stands, as the store's fact "demo": being made, made, or removed for good. */
type Demo = 'making' | 'made' | 'removed';

/** Imports the demo network that the project ships, once, into a store that holds nothing; a torn first start goes on with it. */
export async function seedDemo(store: Store, dataDir: string, folder: string): Promise<number> {
  const fact = await store.fact('demo');
  const wanted = fact === 'making' || (fact === null && (await store.isEmpty()));
  if (!wanted || !existsSync(folder)) return 0;
  await setDemo(store, 'making');
  const exports = readdirSync(folder)
    .map((name) => path.join(folder, name, 'result.json'))
    .filter((place) => existsSync(place));
  // Loaded only when there is something to import: it brings the image library along.
  const { importPath } = await import('./sources/export/import.ts');
  for (const place of exports) await importPath(place, { store, dataDir, demo: true });
  await setDemo(store, 'made');
  return exports.length;
}

/** Removes every demo channel; the demo never comes back by itself. */
export async function removeDemo(store: Store): Promise<number> {
  const channels = await store.channels({ privateChannels: 'all' });
  const ids = channels.filter((channel) => channel.demo).map((channel) => channel.id);
  await store.removeChannels(ids);
  await setDemo(store, 'removed');
  return ids.length;
}

const setDemo = (store: Store, demo: Demo): Promise<void> => store.putFact('demo', demo);
