// Hostile documents: measures the parsers of feeds and exports.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addExternalFeed } from '../../server/sources/rss/add-feed.ts';
import { FeedError } from '../../server/sources/rss/types.ts';
import { importInThread } from '../../server/sources/telegram-export/import-in-thread.ts';
import { ImportError } from '../../server/sources/telegram-export/open-export.ts';
import { type Attempt, findWorstAttempt } from './blocked.ts';
import { type Documents, EXPORTS, FEEDS } from './documents.ts';
import type { Row } from './requests.ts';
import type { Site } from './site.ts';

/**
 * Maximum number of bytes that are read of a feed (`safe-fetch.ts`), and the maximum that is parsed without a worker
 * thread.
 */
const FEED_BYTES = 5 * 1024 * 1024;
const SMALL_FEED_BYTES = 250 * 1024;
/** Limit of added feeds, too high to be reached. */
const MAX_CHANNELS = 1e9;
/** Exports have no size limit, because they are read in chunks. */
const EXPORT_BYTES = 16 * 1024 * 1024;

const feedAttempts = (documents: Documents, bytes: number, { testApp }: Site): Attempt[] =>
  Object.entries(documents).map(([name, documentOf]) => {
    const body = Buffer.from(documentOf(bytes)).subarray(0, bytes);
    let requestCount = 0;
    const run = async () => {
      const url = `https://feeds.test/${encodeURIComponent(name)}/${bytes}/${requestCount++}`;
      const fetchPublic = async () => ({ status: 200, headers: {}, body, url, movedTo: null });
      await addExternalFeed(url, MAX_CHANNELS, { store: testApp.store, fetchPublic, now: Date.now }).catch((error: unknown) => {
        if (!(error instanceof FeedError)) throw error;
      });
    };
    return { name, run };
  });

async function exportAttempts(folder: string): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const [index, [name, documentOf]] of Object.entries(EXPORTS).entries()) {
    const path = join(folder, `${index}.json`);
    await writeFile(path, documentOf(EXPORT_BYTES));
    attempts.push({
      name,
      run: () =>
        importInThread({ path, dataDir: folder }).catch((error: unknown) => {
          if (!(error instanceof ImportError)) throw error;
        }),
    });
  }
  return attempts;
}

/** Measures the parsers of feeds and exports, from the bytes to the posts in the store. */
export async function parserRows(site: Site): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'changer-hostile-'));
  try {
    return [
      {
        input: 'small feeds, and pages that link to a feed',
        limit: '250 KiB',
        ...(await findWorstAttempt(feedAttempts(FEEDS, SMALL_FEED_BYTES, site))),
      },
      {
        input: 'feeds, and pages that link to a feed',
        limit: '5 MiB',
        ...(await findWorstAttempt(feedAttempts(FEEDS, FEED_BYTES, site))),
      },
      {
        input: 'Telegram exports, next to a running server',
        limit: 'none; measured with 16 MiB',
        ...(await findWorstAttempt(await exportAttempts(folder))),
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
