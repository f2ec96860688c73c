/** Demo network: imports fictional channels at the first start, and removes them. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { MediaStore } from '../media/media-store.ts';
import type { NewAuditEntry } from '../storage/ports/audit-log.ts';
import type { Store } from '../storage/ports/store.ts';

/** State of the demo, stored under the key "demo": being created, created, or permanently removed. */
type DemoState = 'making' | 'made' | 'removed';

/** Schema of demo/network.json: the channels, and details of them that an export does not contain. */
const DemoNetwork = Type.Object({
  channels: Type.Array(
    Type.Object({ folder: Type.String(), username: Type.String(), about: Type.String(), picture: Type.String() }),
  ),
});

/**
 * Imports the demo network that is part of the project, once, into an empty store. After an interrupted start it
 * continues the import. Returns the number of channels created.
 */
export async function seedDemo(store: Store, mediaStore: MediaStore, folder: string): Promise<number> {
  const state = await store.setting('demo');
  const isWanted = state === 'making' || (state === null && (await store.isEmpty()));
  const networkFile = path.join(folder, 'network.json');
  if (!isWanted || !existsSync(networkFile)) return 0;
  await putDemoState(store, 'making');
  const { channels } = Value.Parse(DemoNetwork, JSON.parse(readFileSync(networkFile, 'utf8')));
  // Loaded only when there is something to import, because it loads the image library.
  const { importExport } = await import('./telegram-export/import.ts');
  for (const { folder: folderName, ...details } of channels)
    await importExport(path.join(folder, folderName), { ...details, store, mediaStore, demo: true });
  await putDemoState(store, 'made');
  return channels.length;
}

/** Removes every demo channel, and returns their number. The demo is not imported again. */
export async function removeDemo(store: Store, auditEntry: NewAuditEntry): Promise<number> {
  const ids = await store.demoChannelIds();
  await store.removeChannels(ids);
  await putDemoState(store.withAuditEntries([auditEntry]), 'removed');
  return ids.length;
}

const putDemoState = (store: Store, state: DemoState): Promise<void> => store.putSetting('demo', state);
