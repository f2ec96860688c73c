import { startThread } from '../../lib/thread.ts';
import type { StorePlace } from '../../storage/open.ts';
import type { ImportOptions, Progress } from './import.ts';
import { ImportRefused } from './open-export.ts';
import type { ImportReport } from './report.ts';

/** Message to the worker thread, which opens its own database connection. */
export type ImportOrder = { path: string } & StorePlace & Omit<ImportOptions, 'store' | 'onProgress'>;

/** Message from the worker thread. */
export type ImportNews =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'done'; readonly report: ImportReport }
  | { readonly type: 'refused'; readonly reason: string };

/** Imports in a worker thread, so that a server stays responsive meanwhile. Otherwise like importPath. */
export const importInThread = (order: ImportOrder, onProgress: (progress: Progress) => void = () => {}): Promise<ImportReport> =>
  new Promise((resolve, reject) => {
    const thread = startThread(new URL('./import-worker.ts', import.meta.url), order);
    thread.on('message', (news: ImportNews) => {
      if (news.type === 'progress') onProgress(news.progress);
      else if (news.type === 'done') resolve(news.report);
      else reject(new ImportRefused(news.reason));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The import stopped before its end; import the file again.')));
  });
