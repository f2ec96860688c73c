import { parentPort, workerData } from 'node:worker_threads';
import { FeedUnreadable } from './feed-unreadable.ts';
import { readFeed } from './read-feed.ts';
import type { ReadNews, ReadOrder } from './read-in-thread.ts';

const { document, address }: ReadOrder = workerData;
const tell = (news: ReadNews) => parentPort?.postMessage(news);

try {
  tell({ type: 'read', feed: readFeed(document, address) });
} catch (error) {
  if (!(error instanceof FeedUnreadable)) throw error;
  tell({ type: 'unreadable', failure: error.failure });
}
