/** Adds a feed as a channel: feed discovery (autodiscovery) from a URL, on behalf of an operator or a reader. */
import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import type { Channel } from '../../../contract/channel.ts';
import { webLink } from '../../lib/safe-url.ts';
import type { NewAct } from '../../storage/ports/audit-log.ts';
import { readAddress } from '../fetch/address.ts';
import { FIRST_INTERVAL } from './check-feed.ts';
import { takeIn, titleOf } from './items.ts';
import { decodeText } from './parse/charset.ts';
import { readFeedApart } from './parse/parse-in-sandbox.ts';
import { ALL_CHANNELS, FEED_ACCEPT, FEED_TYPES, type FeedDraft, FeedUnreadable, type FeedWork } from './types.ts';

/** A feed at its permanent URL. */
interface Found {
  readonly url: string;
  readonly feed: FeedDraft;
}

/** Adds a missing scheme, which people often omit, and removes `feed:`, which feed readers use. */
const spelledOut = (text: string): string => {
  const plain = text.trim().replace(/^feed:(?:\/\/)?/i, '');
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(plain) ? plain : `https://${plain}`;
};

const load = async (address: string, { fetchPublic }: FeedWork) => {
  const { status, headers, body, url, moved } = await fetchPublic(address, {
    headers: { accept: FEED_ACCEPT },
    types: FEED_TYPES,
  });
  if (status < 200 || status > 299) throw new FeedUnreadable('status', `The address answers ${status}, and no feed.`, { status });
  return { document: decodeText(body, headers['content-type']), url, lasting: moved ?? readAddress(address).href };
};

const find = async (text: string, work: FeedWork): Promise<Found> => {
  const { document, url, lasting } = await load(spelledOut(text), work);
  try {
    return { url: lasting, feed: await readFeedApart(document, url) };
  } catch (error) {
    const [named] = error instanceof FeedUnreadable ? findFeeds(document, url) : [];
    if (named === undefined) throw error;
    const other = await load(named, work);
    return { url: other.lasting, feed: await readFeedApart(other.document, other.url) };
  }
};

const seconds = ({ now }: FeedWork) => Math.floor(now() / 1000);

/** Derives a channel's id from its feed's URL. */
const feedChannelId = (url: string): string => `f-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;

/** Returns the audit event that is written with a feed that an operator adds; `url` is the feed's permanent URL. */
type FeedActOf = (channel: Channel, url: string) => NewAct;

/** Imports the current items of a new channel's feed, and schedules its polling. The poller fetches its files. */
const begin = async (id: string, { url, feed }: Found, work: FeedWork, actOf?: FeedActOf): Promise<Channel> => {
  const { store } = work;
  // The message ids of a feed have gaps by design, so all ids are marked as known.
  await store.explain(id, 0, Number.MAX_SAFE_INTEGER);
  await takeIn(id, feed, titleOf(feed, url), work);
  const fresh = { etag: null, lastModified: null, failures: 0, failingSince: null, error: null, checkedAt: null };
  const channel = await store.channel(id, ALL_CHANNELS);
  if (channel === null) throw new FeedUnreadable('other', 'The channel was removed while it was being added: add it again.');
  const acting = actOf === undefined ? store : store.withActs([actOf(channel, url)]);
  await acting.putFeed({ channelId: id, url, ...fresh, interval: FIRST_INTERVAL, due: seconds(work) });
  return channel;
};

/**
 * Creates a channel from a feed, or from the feed that a page links to, on behalf of an operator. A feed that was added before is
 * followed again. A feed that a reader had added becomes a listed feed of the operators. Throws FetchRefused or FeedUnreadable
 * with a sentence that explains the reason.
 */
export async function addFeed(text: string, work: FeedWork, actOf?: FeedActOf): Promise<Channel> {
  const found = await find(text, work);
  const { store } = work;
  const id = (await store.feedAt(found.url))?.channelId ?? feedChannelId(found.url);
  const title = titleOf(found.feed, found.url);
  // A pending disconnection would stop the feed again.
  await store.reconnect(id);
  await store.putChannel({ id, title, source: 'feed', state: 'live', private: false, demo: false, since: null });
  await store.withdraw(id, false);
  await store.adopt(id);
  return begin(id, found, work, actOf);
}

/** Returns the channel of a feed that exists already, without changing it. */
const here = async (id: string, work: FeedWork): Promise<Channel> => {
  const channel = await work.store.channel(id, ALL_CHANNELS);
  if (channel === null) throw new FeedUnreadable('other', 'This feed is being removed here: try again in some minutes.');
  await work.store.noteAsked([id], seconds(work));
  return channel;
};

/**
 * Creates an unlisted channel from a feed, or from the feed that a page links to, on behalf of a reader. If the feed exists
 * already, returns its channel. Returns null when there are `most` such channels already. Throws like addFeed.
 */
export async function addFeedElsewhere(text: string, most: number, work: FeedWork): Promise<Channel | null> {
  const { store } = work;
  const named = await store.feedAt(readAddress(spelledOut(text)).href);
  if (named !== null) return here(named.channelId, work);
  if ((await store.elsewhere()).length >= most) return null;
  const found = await find(text, work);
  const id = feedChannelId(found.url);
  // A feed that moved keeps the id derived from its first URL.
  const known = (await store.feedAt(found.url)) ?? (await store.feed(id));
  if (known !== null) return here(known.channelId, work);
  if (!(await store.addElsewhere({ id, title: titleOf(found.feed, found.url) }, most, seconds(work)))) return null;
  return begin(id, found, work);
}

const TYPES = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/i;

/** Feed links are in a page's head: only this many characters are parsed, in chunks of `PIECE`. */
const LOOKED_AT = 200_000;
const PIECE = 4000;
/** Deeper than any element in a head. The parser needs more time for each element the more elements are open. */
const MAX_DEPTH = 100;
const MAX_FOUND_FEEDS = 50;

const isComments = (title: string, href: string) => /comment|коммент/i.test(`${title} ${href}`);

/** Returns the feeds that a page links to, with those of its comments last. */
export function findFeeds(html: string, address: string): string[] {
  const found: { readonly href: string; readonly title: string }[] = [];
  let base = address;
  let depth = 0;
  const parser = new Parser({
    onclosetag: () => void depth--,
    onopentag(tag, { rel = '', type = '', href = '', title = '' }) {
      depth += 1;
      if (tag === 'base') base = webLink(href, address) ?? base;
      if (tag !== 'link' || !/(?:^|\s)alternate(?:\s|$)/i.test(rel) || !TYPES.test(type.trim())) return;
      const link = webLink(href, base);
      if (link !== null) found.push({ href: link, title });
    },
  });
  for (let at = 0; at < Math.min(html.length, LOOKED_AT) && depth < MAX_DEPTH && found.length < MAX_FOUND_FEEDS; at += PIECE)
    parser.write(html.slice(at, at + PIECE));
  const comments = found.filter(({ title, href }) => isComments(title, href));
  return [...new Set([...found.filter((each) => !comments.includes(each)), ...comments].map(({ href }) => href))];
}
