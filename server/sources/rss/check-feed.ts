/** Feed polling: fetches a feed, stores its new items, and computes the next polling interval. */
import type { IncomingHttpHeaders } from 'node:http';
import { formatFailure, type SourceFailure } from '../../lib/failure-codes.ts';
import type { SourceFeed } from '../../storage/ports/feeds.ts';
import { FetchError } from '../fetch/errors.ts';
import type { FetchedResponse } from '../fetch/safe-fetch.ts';
import { changeFeedChannel, feedTitle, ingestItems, updateFeedDetails } from './items.ts';
import { decodeText } from './parse/charset.ts';
import { parseInSandbox } from './parse/parse-in-sandbox.ts';
import { ALL_CHANNELS_ACCESS, FEED_ACCEPT, FEED_TYPES, type FeedDeps, FeedError } from './types.ts';

const nowSeconds = ({ now }: FeedDeps) => Math.floor(now() / 1000);

const requestFeed = ({ url, etag, lastModified }: SourceFeed, work: FeedDeps, signal: AbortSignal): Promise<FetchedResponse> =>
  work.fetchPublic(url, {
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
const archiveFeed = async (feed: SourceFeed, work: FeedDeps): Promise<SourceFeed> => {
  const now = nowSeconds(work);
  await changeFeedChannel(feed.channelId, ({ since = now }) => ({ state: 'archived', since }), work);
  const error = formatFailure({ code: 'gone', sentence: 'The feed is gone for good, says its server (410).' });
  return { ...feed, due: null, checkedAt: now, error };
};

const recordFailure = async (
  feed: SourceFeed,
  failure: SourceFailure,
  headers: IncomingHttpHeaders,
  work: FeedDeps,
  random: number,
): Promise<SourceFeed> => {
  const now = nowSeconds(work);
  const [failures, failingSince] = [feed.failures + 1, feed.failingSince ?? now];
  if (now - failingSince >= PAUSE_AFTER_SECONDS)
    await changeFeedChannel(feed.channelId, () => ({ state: 'paused', since: failingSince }), work);
  const due = now + addJitter(retryDelay(feed.interval, failures, headers, now), random);
  return { ...feed, failures, failingSince, error: formatFailure(failure), checkedAt: now, due };
};

const recordSuccess = (feed: SourceFeed, interval: number, work: FeedDeps, random: number): SourceFeed => {
  const now = nowSeconds(work);
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

const ingestResponse = async (feed: SourceFeed, answer: FetchedResponse, work: FeedDeps, random: number): Promise<SourceFeed> => {
  if ((await work.store.channel(feed.channelId, ALL_CHANNELS_ACCESS)) === null) return feed;
  const document = await parseInSandbox(decodeText(answer.body, answer.headers['content-type']), answer.url);
  const url = answer.movedTo ?? feed.url;
  const title = feedTitle(document, url);
  const isNews = await ingestItems(feed.channelId, document, title, work);
  await updateFeedDetails(feed.channelId, document, title, work);
  const { etag = null, 'last-modified': lastModified = null } = answer.headers;
  const interval = nextInterval(feed.interval, isNews, document.everySeconds, answer.headers);
  return recordSuccess({ ...feed, url, etag, lastModified }, interval, work, random);
};

const recordUnchanged = async (
  feed: SourceFeed,
  { headers, movedTo }: FetchedResponse,
  work: FeedDeps,
  random: number,
): Promise<SourceFeed> => {
  await changeFeedChannel(feed.channelId, () => LIVE_STATE, work);
  return recordSuccess({ ...feed, url: movedTo ?? feed.url }, nextInterval(feed.interval, false, null, headers), work, random);
};

/**
 * Fetches a feed and stores its new items. Returns the new state of the feed. Throws only errors of our own side (the store, the
 * disk), or the signal's reason.
 */
export async function checkFeed(
  feed: SourceFeed,
  work: FeedDeps,
  signal: AbortSignal,
  random = Math.random(),
): Promise<SourceFeed> {
  let headers: IncomingHttpHeaders = {};
  try {
    const answer = await requestFeed(feed, work, signal);
    headers = answer.headers;
    if (answer.status === 304) return await recordUnchanged(feed, answer, work, random);
    if (answer.status === 410) return await archiveFeed(feed, work);
    if (answer.status >= 200 && answer.status < 300) return await ingestResponse(feed, answer, work, random);
    const { status } = answer;
    return await recordFailure(
      feed,
      { code: 'status', sentence: `The feed's server answers ${status}.`, status },
      headers,
      work,
      random,
    );
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof FeedError)) throw error;
    return recordFailure(feed, error.failure, headers, work, random);
  }
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Minimum and maximum polling interval of every feed. */
const MIN_INTERVAL_SECONDS = 10 * MINUTE_SECONDS;
const MAX_INTERVAL_SECONDS = DAY_SECONDS;

/** Maximum interval of a feed without news that does not declare how often it changes. */
const MAX_UNDECLARED_INTERVAL_SECONDS = 6 * HOUR_SECONDS;

/** The interval before anything is known of a feed. */
export const FIRST_INTERVAL_SECONDS = 30 * MINUTE_SECONDS;

/** A feed that fails for this long is paused; readers see that it is not followed. */
export const PAUSE_AFTER_SECONDS = 3 * DAY_SECONDS;

const clampRounded = (seconds: number, least: number, most: number) => Math.round(Math.min(Math.max(seconds, least), most));

const maxAge = (headers: IncomingHttpHeaders): number =>
  Number(/(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1] ?? 0);

/**
 * Computes the polling interval in seconds after a successful response: shorter if there was news, longer if not, and never below
 * the interval that the feed (`told`) or its server (max-age) requests.
 */
export function nextInterval(held: number, isNews: boolean, told: number | null, headers: IncomingHttpHeaders): number {
  const asked = clampRounded(Math.max(told ?? 0, maxAge(headers)), MIN_INTERVAL_SECONDS, MAX_INTERVAL_SECONDS);
  // A 304 response has no body, so it does not repeat the feed's declared interval. For this reason the interval never shrinks
  // without news.
  return isNews
    ? clampRounded(held / 2, asked, Math.max(asked, MAX_UNDECLARED_INTERVAL_SECONDS))
    : clampRounded(held * 1.25, asked, Math.max(asked, MAX_UNDECLARED_INTERVAL_SECONDS, held));
}

const retryAfter = (headers: IncomingHttpHeaders, now: number): number => {
  const told = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(told)) return Number(told);
  const date = Date.parse(told);
  return Number.isNaN(date) ? 0 : date / 1000 - now;
};

/**
 * Computes the delay in seconds after the nth consecutive failure: exponential backoff, and at least as long as the server
 * requests (Retry-After).
 */
export function retryDelay(interval: number, failures: number, headers: IncomingHttpHeaders, now: number): number {
  const doubled = interval * 2 ** Math.min(failures - 1, 10);
  return clampRounded(Math.max(doubled, retryAfter(headers, now)), MIN_INTERVAL_SECONDS, MAX_INTERVAL_SECONDS);
}

/**
 * Adds jitter of up to a tenth to a delay, so that feeds that were added together are not always fetched together. `random` is
 * from 0 to 1.
 */
export const addJitter = (seconds: number, random: number): number => Math.round(seconds * (1 + random / 10));
