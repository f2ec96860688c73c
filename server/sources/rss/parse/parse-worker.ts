/** Worker thread of the feed parser: parses one untrusted document; see parse-in-sandbox.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { composeFeed } from '../items.ts';
import { FeedError, type ItemDraft, type ParseRequest, type ParseResponse } from '../types.ts';
import { parseFeedDocument } from './parse-feed.ts';

const { document, address }: ParseRequest = workerData;
const send = (message: ParseResponse, transferred: ArrayBuffer[] = []) => parentPort?.postMessage(message, transferred);

/** Serializes items to JSON, one after another, in new buffers that can be transferred. `ends` are byte positions. */
function serializeItems(items: readonly ItemDraft[]) {
  const jsonItems = items.map((item) => Buffer.from(JSON.stringify(item)));
  const json = new Uint8Array(jsonItems.reduce((sum, { length }) => sum + length, 0));
  const ends = new Float64Array(jsonItems.length);
  let end = 0;
  for (const [index, jsonItem] of jsonItems.entries()) {
    json.set(jsonItem, end);
    end += jsonItem.length;
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
