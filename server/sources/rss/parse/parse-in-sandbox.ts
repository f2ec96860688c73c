/** Sandboxed feed parsing: with a timeout in this thread, or in a worker thread with time and memory limits. */
import { isNativeError } from 'node:util/types';
import { Script } from 'node:vm';
import { mapInSlices } from '../../../lib/event-loop.ts';
import { startWorkerThread } from '../../../lib/thread.ts';
import { composeFeed } from '../items.ts';
import { type FeedDraft, FeedError, type ItemDraft, type ParseRequest, type ParseResponse } from '../types.ts';
import { parseFeedDocument } from './parse-feed.ts';

/**
 * Documents up to this many characters are first parsed in this thread, because starting a worker takes a fifth of a
 * second.
 */
const MAX_INLINE_CHARACTERS = 128 * 1024;
/** Maximum time that a small document blocks this thread, ms. It is enough for most feeds. */
const INLINE_TIMEOUT_MS = 25;
/** Timeout of the worker, ms. The slowest 5 MB document that we constructed took 3 s on an idle machine. */
const THREAD_TIMEOUT_MS = 20_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512 };

/** A vm script, because Node can interrupt a script while it runs. */
const PARSE_SCRIPT = new Script('parse()');

const ITEM_DECODER = new TextDecoder();

const parseInline = (document: string, address: string): FeedDraft | null => {
  let feed: FeedDraft | null = null;
  const parse = () => {
    feed = composeFeed(parseFeedDocument(document, address));
  };
  try {
    PARSE_SCRIPT.runInNewContext({ parse }, { timeout: INLINE_TIMEOUT_MS });
  } catch (error) {
    // The error belongs to the script's own context, so it is not an instance of this context's Error.
    if (!(isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')) throw error;
  }
  return feed;
};

/**
 * Parses a feed and converts its items to text. A document that is large or slow to parse is processed in a worker
 * thread: an untrusted author may have written it to take minutes, during which no other request would get a response.
 */
export const parseInSandbox = async (
  document: string,
  address: string,
  maxInlineCharacters = MAX_INLINE_CHARACTERS,
  timeoutMs = THREAD_TIMEOUT_MS,
): Promise<FeedDraft> => {
  const feed = document.length <= maxInlineCharacters ? parseInline(document, address) : null;
  if (feed !== null) return feed;
  const worker = startWorkerThread(
    new URL('./parse-worker.ts', import.meta.url),
    { document, address } satisfies ParseRequest,
    THREAD_LIMITS,
  );
  const timer = setTimeout(() => void worker.terminate(), timeoutMs);
  try {
    const { head, json, ends } = await new Promise<Extract<ParseResponse, { type: 'read' }>>((resolve, reject) => {
      worker.on('message', (message: ParseResponse) => {
        if (message.type === 'read') resolve(message);
        else reject(new FeedError(message.failure.code, message.failure.sentence));
      });
      // Also emitted when the worker runs out of memory, which a malicious document may cause.
      worker.once('error', (cause) =>
        reject(new FeedError('broken', 'The feed is malformed and could not be parsed.', { cause })),
      );
      worker.once('exit', () => reject(new FeedError('slow-to-read', 'The feed takes too long to parse.')));
    });
    const parseItem = (end: number, index: number): ItemDraft =>
      JSON.parse(ITEM_DECODER.decode(json.subarray(ends[index - 1] ?? 0, end)));
    return { ...head, items: await mapInSlices([...ends], parseItem) };
  } finally {
    clearTimeout(timer);
  }
};
