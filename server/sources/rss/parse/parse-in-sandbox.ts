import { isNativeError } from 'node:util/types';
import { Script } from 'node:vm';
import { mapInSlices } from '../../../lib/event-loop.ts';
import { startThread } from '../../../lib/thread.ts';
import { composeFeed } from '../items.ts';
import { type FeedDraft, FeedUnreadable, type ItemDraft, type ReadNews, type ReadOrder } from '../types.ts';
import { readFeed } from './parse-feed.ts';

/** Characters up to which a document is first read without a thread, which takes a fifth of a second to start. */
const SMALL = 128 * 1024;
/** The longest that everybody else waits for a small one, ms. Most feeds are read by then. */
const BESIDE = 25;
/** The longest that 5 MB made to be slow took was three seconds, when nothing else ran. */
const PATIENCE = 20_000;
const LIMITS = { maxOldGenerationSizeMb: 512 };

/** A script is what Node stops in the midst of its work. */
const READING = new Script('read()');

const readBeside = (document: string, address: string): FeedDraft | null => {
  let feed: FeedDraft | null = null;
  const read = () => {
    feed = composeFeed(readFeed(document, address));
  };
  try {
    READING.runInNewContext({ read }, { timeout: BESIDE });
  } catch (error) {
    // It is an Error of the script's own.
    if (!(isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')) throw error;
  }
  return feed;
};

/**
 * Reads a feed and makes its texts; one that is large or takes long in a thread of its own, since whoever names a feed may have
 * written it to take minutes, in which nobody else would be answered.
 */
export const readFeedApart = async (
  document: string,
  address: string,
  small = SMALL,
  patience = PATIENCE,
): Promise<FeedDraft> => {
  const feed = document.length <= small ? readBeside(document, address) : null;
  if (feed !== null) return feed;
  const thread = startThread(new URL('./parse-worker.ts', import.meta.url), { document, address } satisfies ReadOrder, LIMITS);
  const timer = setTimeout(() => void thread.terminate(), patience);
  try {
    const { head, items } = await new Promise<Extract<ReadNews, { type: 'read' }>>((resolve, reject) => {
      thread.on('message', (news: ReadNews) => {
        if (news.type === 'read') resolve(news);
        else reject(new FeedUnreadable(news.failure.code, news.failure.sentence));
      });
      // Also for want of memory, which such a document may be made for.
      thread.once('error', (cause) => reject(new FeedUnreadable('broken', 'The feed is broken and cannot be read.', { cause })));
      thread.once('exit', () => reject(new FeedUnreadable('slow-to-read', 'The feed takes too long to read.')));
    });
    return { ...head, items: await mapInSlices(items, (item): ItemDraft => JSON.parse(item)) };
  } finally {
    clearTimeout(timer);
  }
};
