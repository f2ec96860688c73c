import { parentPort, workerData } from 'node:worker_threads';
import { composeFeed } from './compose-item.ts';
import { FeedUnreadable } from './feed-unreadable.ts';
import { readFeed } from './read-feed.ts';
import type { ReadNews, ReadOrder } from './read-in-thread.ts';

const { document, address }: ReadOrder = workerData;
const tell = (news: ReadNews) => parentPort?.postMessage(news);

try {
  const { items, ...head } = composeFeed(readFeed(document, address));
  tell({ type: 'read', head, items: items.map((item) => JSON.stringify(item)) });
} catch (error) {
  if (!(error instanceof FeedUnreadable)) throw error;
  tell({ type: 'unreadable', failure: error.failure });
}
