/** Adds a feed as a channel: feed discovery (autodiscovery) from a URL, on behalf of an operator or a reader. */

import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import type { Channel } from '../../../contract/channel.ts';
import { FULL_ACCESS } from '../../domain/model.ts';
import { resolveWebLink } from '../../lib/safe-url.ts';
import type { NewAuditEntry } from '../../storage/ports/audit-log.ts';
import { parseUntrustedUrl } from '../fetch/ssrf-protection.ts';
import { FIRST_INTERVAL_SECONDS } from './check-feed.ts';
import { feedTitle, ingestItems } from './items.ts';
import { decodeText } from './parse/charset.ts';
import { parseInSandbox } from './parse/parse-in-sandbox.ts';
import { FEED_ACCEPT, FEED_TYPES, type FeedDeps, type FeedDraft, FeedError } from './types.ts';

/** A feed at its permanent URL. */
interface FoundFeed {
  readonly url: string;
  readonly feed: FeedDraft;
}

/** Adds a missing scheme, which people often omit, and removes the `feed:` scheme of feed readers. */
const normalizeAddress = (text: string): string => {
  const address = text.trim().replace(/^feed:(?:\/\/)?/i, '');
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address) ? address : `https://${address}`;
};

const fetchDocument = async (address: string, { fetchPublic }: FeedDeps) => {
  const { status, headers, body, url, movedTo } = await fetchPublic(address, {
    headers: { accept: FEED_ACCEPT },
    types: FEED_TYPES,
  });
  if (status < 200 || status > 299)
    throw new FeedError('status', `The address responded with status ${status}, and without a feed.`, { status });
  return { document: decodeText(body, headers['content-type']), url, permanentUrl: movedTo ?? parseUntrustedUrl(address).href };
};

const findFeed = async (text: string, deps: FeedDeps): Promise<FoundFeed> => {
  const { document, url, permanentUrl } = await fetchDocument(normalizeAddress(text), deps);
  try {
    return { url: permanentUrl, feed: await parseInSandbox(document, url) };
  } catch (error) {
    const [linkedUrl] = error instanceof FeedError ? findFeedLinks(document, url) : [];
    if (linkedUrl === undefined) throw error;
    const linked = await fetchDocument(linkedUrl, deps);
    return { url: linked.permanentUrl, feed: await parseInSandbox(linked.document, linked.url) };
  }
};

const nowSeconds = ({ now }: FeedDeps) => Math.floor(now() / 1000);

/** Derives a channel's id from its feed's URL. */
const feedChannelId = (url: string): string => `f-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;

/** Returns the audit event that is written with a feed that an operator adds; `url` is the feed's permanent URL. */
type CreateFeedAuditEntry = (channel: Channel, url: string) => NewAuditEntry;

/** Imports the current items of a new channel's feed, and schedules its polling. The poller fetches its files. */
const startFollowing = async (
  id: string,
  { url, feed }: FoundFeed,
  deps: FeedDeps,
  createAuditEntry?: CreateFeedAuditEntry,
): Promise<Channel> => {
  const { store } = deps;
  // The message ids of a feed have gaps by design, so all ids are marked as known.
  await store.markRangeKnown(id, 0, Number.MAX_SAFE_INTEGER);
  await ingestItems(id, feed, feedTitle(feed, url), deps);
  const initialState = { etag: null, lastModified: null, failures: 0, failingSince: null, error: null, checkedAt: null };
  const channel = await store.channel(id, FULL_ACCESS);
  if (channel === null) throw new FeedError('other', 'The channel was removed while it was being added: add it again.');
  const auditedStore = createAuditEntry === undefined ? store : store.withAuditEntries([createAuditEntry(channel, url)]);
  await auditedStore.putFeed({ channelId: id, url, ...initialState, interval: FIRST_INTERVAL_SECONDS, due: nowSeconds(deps) });
  return channel;
};

/**
 * Creates a channel from a feed, or from the feed that a page links to, on behalf of an operator. A feed that was added
 * before is followed again. A feed that a reader had added becomes a listed feed of the operators. Throws FetchError or
 * FeedError with a sentence that explains the reason.
 */
export async function addFeed(text: string, deps: FeedDeps, createAuditEntry?: CreateFeedAuditEntry): Promise<Channel> {
  const found = await findFeed(text, deps);
  const { store } = deps;
  const id = (await store.feedByUrl(found.url))?.channelId ?? feedChannelId(found.url);
  const title = feedTitle(found.feed, found.url);
  // A pending disconnection would stop the feed again.
  await store.reconnect(id);
  await store.putChannel({ id, title, source: 'feed', state: 'live', private: false, demo: false, since: null });
  await store.setSoftDeleted(id, false);
  await store.promoteExternalChannel(id);
  return startFollowing(id, found, deps, createAuditEntry);
}

/** Returns the channel of a feed that exists already, without changing it. */
const touchExistingChannel = async (id: string, deps: FeedDeps): Promise<Channel> => {
  const channel = await deps.store.channel(id, FULL_ACCESS);
  if (channel === null) throw new FeedError('other', 'This feed is being removed here: try again in some minutes.');
  await deps.store.touchExternalChannels([id], nowSeconds(deps));
  return channel;
};

/**
 * Creates an unlisted channel from a feed, or from the feed that a page links to, on behalf of a reader. If the feed
 * exists already, returns its channel. Returns null when there are `maxChannels` such channels already. Throws like
 * addFeed.
 */
export async function addExternalFeed(text: string, maxChannels: number, deps: FeedDeps): Promise<Channel | null> {
  const { store } = deps;
  const sameUrl = await store.feedByUrl(parseUntrustedUrl(normalizeAddress(text)).href);
  if (sameUrl !== null) return touchExistingChannel(sameUrl.channelId, deps);
  if ((await store.externalChannelIds()).length >= maxChannels) return null;
  const found = await findFeed(text, deps);
  const id = feedChannelId(found.url);
  // A feed that moved keeps the id derived from its first URL.
  const existing = (await store.feedByUrl(found.url)) ?? (await store.feed(id));
  if (existing !== null) return touchExistingChannel(existing.channelId, deps);
  if (!(await store.addExternalChannel({ id, title: feedTitle(found.feed, found.url) }, maxChannels, nowSeconds(deps))))
    return null;
  return startFollowing(id, found, deps);
}

const FEED_LINK_TYPES = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/i;

/** Feed links are in a page's head: only this many characters are parsed, in chunks of `CHUNK_LENGTH`. */
const MAX_HEAD_LENGTH = 200_000;
const CHUNK_LENGTH = 4000;
/** Maximum depth: deeper than any element in a head. The parser is slower the more elements are open. */
const MAX_DEPTH = 100;
const MAX_FOUND_FEEDS = 50;

const isCommentsFeed = (title: string, href: string) => /comment|коммент/i.test(`${title} ${href}`);

/** Returns the URLs of the feeds that a page links to, with those of its comments last. */
export function findFeedLinks(html: string, address: string): string[] {
  const found: { readonly href: string; readonly title: string }[] = [];
  let base = address;
  let depth = 0;
  const parser = new Parser({
    onclosetag: () => void depth--,
    onopentag(tag, { rel = '', type = '', href = '', title = '' }) {
      depth += 1;
      if (tag === 'base') base = resolveWebLink(href, address) ?? base;
      if (tag !== 'link' || !/(?:^|\s)alternate(?:\s|$)/i.test(rel) || !FEED_LINK_TYPES.test(type.trim())) return;
      const link = resolveWebLink(href, base);
      if (link !== null) found.push({ href: link, title });
    },
  });
  for (
    let offset = 0;
    offset < Math.min(html.length, MAX_HEAD_LENGTH) && depth < MAX_DEPTH && found.length < MAX_FOUND_FEEDS;
    offset += CHUNK_LENGTH
  )
    parser.write(html.slice(offset, offset + CHUNK_LENGTH));
  const commentFeeds = found.filter(({ title, href }) => isCommentsFeed(title, href));
  return [...new Set([...found.filter((feed) => !commentFeeds.includes(feed)), ...commentFeeds].map(({ href }) => href))];
}
