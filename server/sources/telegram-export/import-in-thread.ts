import { startWorkerThread } from '../../lib/thread.ts';
import type { MediaLocation } from '../../media/open-media-store.ts';
import type { StoreLocation } from '../../storage/open.ts';
import type { ImportOptions, TelegramImportProgress } from './import.ts';
import { ImportError } from './open-export.ts';
import type { TelegramImportResult } from './report.ts';

/** Message to the worker thread, which opens its own database connection. */
export type ImportRequest = { path: string } & StoreLocation &
  MediaLocation &
  Omit<ImportOptions, 'store' | 'mediaStore' | 'onProgress'>;

/** Message from the worker thread. */
export type ImportWorkerMessage =
  | { readonly type: 'progress'; readonly progress: TelegramImportProgress }
  | { readonly type: 'done'; readonly report: TelegramImportResult }
  | { readonly type: 'rejected'; readonly reason: string };

/**
 * Import in a worker thread: imports an export while the server stays responsive. Otherwise like `importExport`. Throws
 * ImportError, or an error of the thread.
 */
export const importInThread = (
  request: ImportRequest,
  onProgress: (progress: TelegramImportProgress) => void = () => {},
): Promise<TelegramImportResult> =>
  new Promise((resolve, reject) => {
    const thread = startWorkerThread(new URL('./import-worker.ts', import.meta.url), request);
    thread.on('message', (message: ImportWorkerMessage) => {
      if (message.type === 'progress') onProgress(message.progress);
      else if (message.type === 'done') resolve(message.report);
      else reject(new ImportError(message.reason));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The import stopped before its end; import the file again.')));
  });
