// Stores every hostile picture in a process of its own, so that the memory of the process is the memory of this work. Prints
// the result of each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderMediaStore } from '../../server/media/folder-media-store.ts';
import { saveMediaFile } from '../../server/media/save-file.ts';
import { HOSTILE_PICTURES } from './pictures.ts';

const memory = () => process.resourceUsage().maxRSS / 1024;

async function storeAll(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'changer-hostile-'));
  const store = { putMediaFile: async () => {} };
  await import('../../server/media/image.ts');
  const [before, reasons]: [number, Record<string, string | null>] = [memory(), {}];
  for (const [name, bytes] of Object.entries(HOSTILE_PICTURES)) {
    const { kind, reason } = await saveMediaFile(bytes, { mediaStore: createFolderMediaStore(dataDir), store });
    reasons[name] = kind === 'document' ? (reason ?? 'a document') : null;
  }
  rmSync(dataDir, { recursive: true, force: true });
  process.stdout.write(JSON.stringify({ reasons, megabytes: memory() - before }));
}

void storeAll();
