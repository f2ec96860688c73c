import { parentPort, workerData } from 'node:worker_threads';
import { composeFeed } from '../items.ts';
import { FeedError, type ItemDraft, type ParseRequest, type ParseResponse } from '../types.ts';
import { parseFeedDocument } from './parse-feed.ts';

const { document, address }: ParseRequest = workerData;
const send = (message: ParseResponse, transferred: ArrayBuffer[] = []) => parentPort?.postMessage(message, transferred);

/** Serializes items to JSON, one after another, in buffers of their own. */
function serializeItems(items: readonly ItemDraft[]) {
  const parts = items.map((item) => Buffer.from(JSON.stringify(item)));
  const json = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  const ends = new Float64Array(parts.length);
  let end = 0;
  for (const [index, part] of parts.entries()) {
    json.set(part, end);
    end += part.length;
    ends[index] = end;
  }
  return { json, ends };
}

try {
  const { items, ...head } = composeFeed(parseFeedDocument(document, address));
  const { json, ends } = serializeItems(items);
  send({ type: 'read', head, json, ends }, [json.buffer, ends.buffer]);
} catch (error) {
  if (!(error instanceof FeedError)) throw error;
  send({ type: 'unreadable', failure: error.failure });
}
