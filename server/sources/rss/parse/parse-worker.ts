import { parentPort, workerData } from 'node:worker_threads';
import { composeFeed } from '../items.ts';
import { FeedUnreadable, type ReadNews, type ReadOrder } from '../types.ts';
import { readFeed } from './parse-feed.ts';

const { document, address }: ReadOrder = workerData;
const tell = (news: ReadNews) => parentPort?.postMessage(news);

try {
  const { items, ...head } = composeFeed(readFeed(document, address));
  tell({ type: 'read', head, items: items.map((item) => JSON.stringify(item)) });
} catch (error) {
  if (!(error instanceof FeedUnreadable)) throw error;
  tell({ type: 'unreadable', failure: error.failure });
}
