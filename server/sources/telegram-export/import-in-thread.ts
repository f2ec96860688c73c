import { startWorkerThread } from '../../lib/thread.ts';
import type { StoreLocation } from '../../storage/open.ts';
import type { ImportOptions, TelegramImportProgress } from './import.ts';
import { ImportError } from './open-export.ts';
import type { TelegramImportResult } from './report.ts';

/** Message to the worker thread, which opens its own database connection. */
export type ImportRequest = { path: string } & StoreLocation & Omit<ImportOptions, 'store' | 'onProgress'>;

/** Message from the worker thread. */
export type ImportWorkerMessage =
  | { readonly type: 'progress'; readonly progress: TelegramImportProgress }
  | { readonly type: 'done'; readonly report: TelegramImportResult }
  | { readonly type: 'refused'; readonly reason: string };

/** Imports in a worker thread, so that a server stays responsive meanwhile. Otherwise like importPath. */
export const importInThread = (
  order: ImportRequest,
  onProgress: (progress: TelegramImportProgress) => void = () => {},
): Promise<TelegramImportResult> =>
  new Promise((resolve, reject) => {
    const thread = startWorkerThread(new URL('./import-worker.ts', import.meta.url), order);
    thread.on('message', (news: ImportWorkerMessage) => {
      if (news.type === 'progress') onProgress(news.progress);
      else if (news.type === 'done') resolve(news.report);
      else reject(new ImportError(news.reason));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The import stopped before its end; import the file again.')));
  });
