import { parentPort, workerData } from 'node:worker_threads';
import { composeFeed } from '../items.ts';
import { FeedError, type ParseRequest, type ParseResponse } from '../types.ts';
import { parseFeedDocument } from './parse-feed.ts';

const { document, address }: ParseRequest = workerData;
const send = (message: ParseResponse) => parentPort?.postMessage(message);

try {
  const { items, ...head } = composeFeed(parseFeedDocument(document, address));
  send({ type: 'read', head, items: items.map((item) => JSON.stringify(item)) });
} catch (error) {
  if (!(error instanceof FeedError)) throw error;
  send({ type: 'unreadable', failure: error.failure });
}
