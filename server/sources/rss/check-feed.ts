/** Feed polling: fetches a feed, stores its new items, and computes the next polling interval. */

import type { IncomingHttpHeaders } from 'node:http';
import { FULL_ACCESS } from '../../domain/model.ts';
import { formatFailure, type SourceFailure } from '../../lib/failure-codes.ts';
import type { SourceFeed } from '../../storage/ports/feeds.ts';
import { FetchError } from '../fetch/errors.ts';
import type { FetchedResponse } from '../fetch/safe-fetch.ts';
import { changeFeedChannel, feedTitle, ingestItems, updateFeedDetails } from './items.ts';
import { decodeText } from './parse/charset.ts';
import { parseInSandbox } from './parse/parse-in-sandbox.ts';
import { FEED_ACCEPT, FEED_TYPES, type FeedDeps, FeedError } from './types.ts';

const nowSeconds = ({ now }: FeedDeps) => Math.floor(now() / 1000);

const requestFeed = ({ url, etag, lastModified }: SourceFeed, deps: FeedDeps, signal: AbortSignal): Promise<FetchedResponse> =>
  deps.fetchPublic(url, {
    headers: {
      accept: FEED_ACCEPT,
      ...(etag !== null && { 'if-none-match': etag }),
      ...(lastModified !== null && { 'if-modified-since': lastModified }),
    },
    types: FEED_TYPES,
    signal,
  });

const LIVE_STATE = { state: 'live', since: null } as const;

/** Archives the channel of a feed whose server responded 410 Gone: the feed must not be requested again. */
const archiveFeed = async (feed: SourceFeed, deps: FeedDeps): Promise<SourceFeed> => {
  const now = nowSeconds(deps);
  await changeFeedChannel(feed.channelId, ({ since = now }) => ({ state: 'archived', since }), deps);
  const error = formatFailure({
    code: 'gone',
    sentence: 'The feed was removed permanently: its server responded with status 410.',
  });
  return { ...feed, due: null, checkedAt: now, error };
};

const recordFailure = async (
  feed: SourceFeed,
  failure: SourceFailure,
  headers: IncomingHttpHeaders,
  deps: FeedDeps,
  random: number,
): Promise<SourceFeed> => {
  const now = nowSeconds(deps);
  const [failures, failingSince] = [feed.failures + 1, feed.failingSince ?? now];
  if (now - failingSince >= PAUSE_AFTER_SECONDS)
    await changeFeedChannel(feed.channelId, () => ({ state: 'paused', since: failingSince }), deps);
  const due = now + addJitter(retryDelay(feed.interval, failures, headers, now), random);
  return { ...feed, failures, failingSince, error: formatFailure(failure), checkedAt: now, due };
};

const recordSuccess = (feed: SourceFeed, interval: number, deps: FeedDeps, random: number): SourceFeed => {
  const now = nowSeconds(deps);
  return {
    ...feed,
    interval,
    failures: 0,
    failingSince: null,
    error: null,
    checkedAt: now,
    due: now + addJitter(interval, random),
  };
};

const ingestResponse = async (
  feed: SourceFeed,
  response: FetchedResponse,
  deps: FeedDeps,
  random: number,
): Promise<SourceFeed> => {
  if ((await deps.store.channel(feed.channelId, FULL_ACCESS)) === null) return feed;
  const document = await parseInSandbox(decodeText(response.body, response.headers['content-type']), response.url);
  const url = response.movedTo ?? feed.url;
  const title = feedTitle(document, url);
  const hasNews = await ingestItems(feed.channelId, document, title, deps);
  await updateFeedDetails(feed.channelId, document, title, deps);
  const { etag = null, 'last-modified': lastModified = null } = response.headers;
  const interval = nextInterval(feed.interval, hasNews, document.everySeconds, response.headers);
  return recordSuccess({ ...feed, url, etag, lastModified }, interval, deps, random);
};

const recordUnchanged = async (
  feed: SourceFeed,
  { headers, movedTo }: FetchedResponse,
  deps: FeedDeps,
  random: number,
): Promise<SourceFeed> => {
  await changeFeedChannel(feed.channelId, () => LIVE_STATE, deps);
  return recordSuccess({ ...feed, url: movedTo ?? feed.url }, nextInterval(feed.interval, false, null, headers), deps, random);
};

/**
 * Fetches a feed and stores its new items. Returns the new state of the feed. Throws only errors of our own side (the
 * store, the disk), or the signal's reason. `random` is from 0 to 1.
 */
export async function checkFeed(
  feed: SourceFeed,
  deps: FeedDeps,
  signal: AbortSignal,
  random = Math.random(),
): Promise<SourceFeed> {
  let headers: IncomingHttpHeaders = {};
  try {
    const response = await requestFeed(feed, deps, signal);
    headers = response.headers;
    if (response.status === 304) return await recordUnchanged(feed, response, deps, random);
    if (response.status === 410) return await archiveFeed(feed, deps);
    if (response.status >= 200 && response.status < 300) return await ingestResponse(feed, response, deps, random);
    const { status } = response;
    return await recordFailure(
      feed,
      { code: 'status', sentence: `The feed's server responded with status ${status}.`, status },
      headers,
      deps,
      random,
    );
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof FeedError)) throw error;
    return recordFailure(feed, error.failure, headers, deps, random);
  }
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Minimum and maximum polling interval of every feed, whatever it declares. */
const MIN_INTERVAL_SECONDS = 10 * MINUTE_SECONDS;
const MAX_INTERVAL_SECONDS = DAY_SECONDS;

/** Maximum interval of a feed without news that does not declare how often it changes. */
const MAX_UNDECLARED_INTERVAL_SECONDS = 6 * HOUR_SECONDS;

/** Interval of a new feed, before it was checked for news. */
export const FIRST_INTERVAL_SECONDS = 30 * MINUTE_SECONDS;

/**
 * A feed that fails for this long is paused, and readers see that. The server still checks it, and resumes it if it
 * works again.
 */
const PAUSE_AFTER_SECONDS = 3 * DAY_SECONDS;

/** Maximum number of times that the retry delay doubles. */
const MAX_DOUBLINGS = 10;

const clampRounded = (seconds: number, min: number, max: number) => Math.round(Math.min(Math.max(seconds, min), max));

const maxAge = (headers: IncomingHttpHeaders): number =>
  Number(/(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1] ?? 0);

/**
 * Computes the polling interval in seconds after a successful response: shorter if there was news, longer if not, and
 * never below the interval that the feed (`declared`) or its server (max-age) requests.
 */
function nextInterval(current: number, hasNews: boolean, declared: number | null, headers: IncomingHttpHeaders): number {
  const requested = clampRounded(Math.max(declared ?? 0, maxAge(headers)), MIN_INTERVAL_SECONDS, MAX_INTERVAL_SECONDS);
  // A 304 response has no body, so it does not repeat the feed's declared interval. For this reason the interval never
  // shrinks without news.
  return hasNews
    ? clampRounded(current / 2, requested, Math.max(requested, MAX_UNDECLARED_INTERVAL_SECONDS))
    : clampRounded(current * 1.25, requested, Math.max(requested, MAX_UNDECLARED_INTERVAL_SECONDS, current));
}

const retryAfter = (headers: IncomingHttpHeaders, now: number): number => {
  const header = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : date / 1000 - now;
};

/**
 * Computes the delay in seconds after the nth consecutive failure: exponential backoff, and at least as long as the
 * server requests (Retry-After).
 */
export function retryDelay(interval: number, failures: number, headers: IncomingHttpHeaders, now: number): number {
  const doubled = interval * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
  return clampRounded(Math.max(doubled, retryAfter(headers, now)), MIN_INTERVAL_SECONDS, MAX_INTERVAL_SECONDS);
}

/**
 * Adds jitter of up to a tenth to a delay, so that feeds that were added together are not always fetched together.
 * `random` is from 0 to 1.
 */
const addJitter = (seconds: number, random: number): number => Math.round(seconds * (1 + random / 10));
