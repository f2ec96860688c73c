import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '../../storage/open.ts';
import { importPath } from './import.ts';
import type { ImportNews, ImportOrder } from './import-in-thread.ts';
import { ImportRefused } from './open-export.ts';

const tell = (news: ImportNews) => parentPort?.postMessage(news);

const { path, ...options }: ImportOrder = workerData;
const store = await openStore(options);
try {
  const report = await importPath(path, { ...options, store, onProgress: (progress) => tell({ type: 'progress', progress }) });
  tell({ type: 'done', report });
} catch (error) {
  if (!(error instanceof ImportRefused)) throw error;
  tell({ type: 'refused', reason: error.message });
} finally {
  await store.close();
}
