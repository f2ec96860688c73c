import { createHash } from 'node:crypto';
import type { Channel } from '../../../contract/channel.ts';
import { readAddress } from './check-address.ts';
import { decodeText } from './decode-text.ts';
import type { ReadFeed } from './feed-draft.ts';
import { FeedUnreadable } from './feed-unreadable.ts';
import { ALL_CHANNELS, FEED_ACCEPT, FEED_TYPES, type FeedWork } from './feed-work.ts';
import { findFeeds } from './find-feed.ts';
import { readFeed } from './read-feed.ts';
import { FIRST_INTERVAL } from './schedule.ts';
import { takeIn, titleOf } from './take-in.ts';

/** A feed at its lasting address. */
interface Found {
  readonly url: string;
  readonly feed: ReadFeed;
}

/** People write addresses without their scheme, and feed readers write `feed:`. */
const spelledOut = (text: string): string => {
  const plain = text.trim().replace(/^feed:(?:\/\/)?/i, '');
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(plain) ? plain : `https://${plain}`;
};

const load = async (address: string, { fetchPublic }: FeedWork) => {
  const { status, headers, body, url, moved } = await fetchPublic(address, {
    headers: { accept: FEED_ACCEPT },
    types: FEED_TYPES,
  });
  if (status < 200 || status > 299) throw new FeedUnreadable(`The address answers ${status}, and no feed.`);
  return { document: decodeText(body, headers['content-type']), url, lasting: moved ?? readAddress(address).href };
};

const find = async (text: string, work: FeedWork): Promise<Found> => {
  const { document, url, lasting } = await load(spelledOut(text), work);
  try {
    return { url: lasting, feed: readFeed(document, url) };
  } catch (error) {
    const [named] = error instanceof FeedUnreadable ? findFeeds(document, url) : [];
    if (named === undefined) throw error;
    const other = await load(named, work);
    return { url: other.lasting, feed: readFeed(other.document, other.url) };
  }
};

/** A channel's id from its feed's address. */
const feedChannelId = (url: string): string => `f-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;

/**
 * Makes a channel of a feed, or of the feed that a page names, with what it lists now; its files come with the poller. One that
 * was added before is followed again. Throws FetchRefused or FeedUnreadable with a sentence that says why not.
 */
export async function addFeed(text: string, work: FeedWork): Promise<Channel> {
  const { url, feed } = await find(text, work);
  const { store } = work;
  const id = (await store.feedAt(url))?.channelId ?? feedChannelId(url);
  const title = titleOf(feed, url);
  const state = { id, title, source: 'feed', state: 'live', private: false, demo: false, since: null } as const;
  // A disconnection that is under way would end it again.
  await store.reconnect(id);
  await store.putChannel(state);
  await store.withdraw(id, false);
  // A feed's numbers have holes by nature.
  await store.explain(id, 0, Number.MAX_SAFE_INTEGER);
  await takeIn(id, feed, title, work);
  const fresh = { etag: null, lastModified: null, failures: 0, failingSince: null, error: null, checkedAt: null };
  await store.putFeed({ channelId: id, url, ...fresh, interval: FIRST_INTERVAL, due: Math.floor(work.now() / 1000) });
  const channel = await store.channel(id, ALL_CHANNELS);
  if (channel === null) throw new FeedUnreadable('The channel was removed while it was being added: add it again.');
  return channel;
}
