/** Worker thread of an import: imports one export over its own database connection; see import-in-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { openMediaStore } from '../../media/open-media-store.ts';
import { openStore } from '../../storage/open.ts';
import { importExport } from './import.ts';
import type { ImportRequest, ImportWorkerMessage } from './import-in-thread.ts';
import { ImportError } from './open-export.ts';

const send = (message: ImportWorkerMessage) => parentPort?.postMessage(message);

const { path, ...options }: ImportRequest = workerData;
const [store, mediaStore] = [await openStore(options), await openMediaStore(options)];
try {
  const report = await importExport(path, {
    ...options,
    store,
    mediaStore,
    onProgress: (progress) => send({ type: 'progress', progress }),
  });
  send({ type: 'done', report });
} catch (error) {
  if (!(error instanceof ImportError)) throw error;
  send({ type: 'rejected', reason: error.message });
} finally {
  await store.close();
}
