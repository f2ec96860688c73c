/** Feed polling: fetches a feed, stores its new items, and computes the next polling interval. */
import type { IncomingHttpHeaders } from 'node:http';
import { type SourceFailure, writeFailure } from '../../lib/failure-codes.ts';
import type { Feed } from '../../storage/ports/feeds.ts';
import { FetchRefused } from '../fetch/errors.ts';
import type { Fetched } from '../fetch/safe-fetch.ts';
import { changeChannel, takeHead, takeIn, titleOf } from './items.ts';
import { decodeText } from './parse/charset.ts';
import { readFeedApart } from './parse/parse-in-sandbox.ts';
import { ALL_CHANNELS, FEED_ACCEPT, FEED_TYPES, FeedUnreadable, type FeedWork } from './types.ts';

const seconds = ({ now }: FeedWork) => Math.floor(now() / 1000);

const ask = ({ url, etag, lastModified }: Feed, work: FeedWork, signal: AbortSignal): Promise<Fetched> =>
  work.fetchPublic(url, {
    headers: {
      accept: FEED_ACCEPT,
      ...(etag !== null && { 'if-none-match': etag }),
      ...(lastModified !== null && { 'if-modified-since': lastModified }),
    },
    types: FEED_TYPES,
    signal,
  });

const live = { state: 'live', since: null } as const;

/** Archives the channel of a feed whose server responded 410 Gone: the feed must not be requested again. */
const stopped = async (feed: Feed, work: FeedWork): Promise<Feed> => {
  const now = seconds(work);
  await changeChannel(feed.channelId, ({ since = now }) => ({ state: 'archived', since }), work);
  const error = writeFailure({ code: 'gone', sentence: 'The feed is gone for good, says its server (410).' });
  return { ...feed, due: null, checkedAt: now, error };
};

const failed = async (
  feed: Feed,
  failure: SourceFailure,
  headers: IncomingHttpHeaders,
  work: FeedWork,
  random: number,
): Promise<Feed> => {
  const now = seconds(work);
  const [failures, failingSince] = [feed.failures + 1, feed.failingSince ?? now];
  if (now - failingSince >= PAUSED_AFTER)
    await changeChannel(feed.channelId, () => ({ state: 'paused', since: failingSince }), work);
  const due = now + spread(retryDelay(feed.interval, failures, headers, now), random);
  return { ...feed, failures, failingSince, error: writeFailure(failure), checkedAt: now, due };
};

const worked = (feed: Feed, interval: number, work: FeedWork, random: number): Feed => {
  const now = seconds(work);
  return { ...feed, interval, failures: 0, failingSince: null, error: null, checkedAt: now, due: now + spread(interval, random) };
};

const read = async (feed: Feed, answer: Fetched, work: FeedWork, random: number): Promise<Feed> => {
  if ((await work.store.channel(feed.channelId, ALL_CHANNELS)) === null) return feed;
  const document = await readFeedApart(decodeText(answer.body, answer.headers['content-type']), answer.url);
  const url = answer.moved ?? feed.url;
  const title = titleOf(document, url);
  const isNews = await takeIn(feed.channelId, document, title, work);
  await takeHead(feed.channelId, document, title, work);
  const { etag = null, 'last-modified': lastModified = null } = answer.headers;
  const interval = nextInterval(feed.interval, isNews, document.everySeconds, answer.headers);
  return worked({ ...feed, url, etag, lastModified }, interval, work, random);
};

const unchanged = async (feed: Feed, { headers, moved }: Fetched, work: FeedWork, random: number): Promise<Feed> => {
  await changeChannel(feed.channelId, () => live, work);
  return worked({ ...feed, url: moved ?? feed.url }, nextInterval(feed.interval, false, null, headers), work, random);
};

/**
 * Fetches a feed and stores its new items. Returns the new state of the feed. Throws only errors of our own side (the store, the
 * disk), or the signal's reason.
 */
export async function checkFeed(feed: Feed, work: FeedWork, signal: AbortSignal, random = Math.random()): Promise<Feed> {
  let headers: IncomingHttpHeaders = {};
  try {
    const answer = await ask(feed, work, signal);
    headers = answer.headers;
    if (answer.status === 304) return await unchanged(feed, answer, work, random);
    if (answer.status === 410) return await stopped(feed, work);
    if (answer.status >= 200 && answer.status < 300) return await read(feed, answer, work, random);
    const { status } = answer;
    return await failed(
      feed,
      { code: 'status', sentence: `The feed's server answers ${status}.`, status },
      headers,
      work,
      random,
    );
  } catch (error) {
    if (!(error instanceof FetchRefused || error instanceof FeedUnreadable)) throw error;
    return failed(feed, error.failure, headers, work, random);
  }
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Minimum and maximum polling interval of every feed. */
const SHORTEST = 10 * MINUTE;
const MAX_INTERVAL_SECONDS = DAY;

/** Maximum interval of a feed without news that does not declare how often it changes. */
const MAX_UNDECLARED_INTERVAL_SECONDS = 6 * HOUR;

/** The interval before anything is known of a feed. */
export const FIRST_INTERVAL = 30 * MINUTE;

/** A feed that fails for this long is paused; readers see that it is not followed. */
export const PAUSED_AFTER = 3 * DAY;

const within = (seconds: number, least: number, most: number) => Math.round(Math.min(Math.max(seconds, least), most));

const maxAge = (headers: IncomingHttpHeaders): number =>
  Number(/(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1] ?? 0);

/**
 * Computes the polling interval in seconds after a successful response: shorter if there was news, longer if not, and never below
 * the interval that the feed (`told`) or its server (max-age) requests.
 */
export function nextInterval(held: number, isNews: boolean, told: number | null, headers: IncomingHttpHeaders): number {
  const asked = within(Math.max(told ?? 0, maxAge(headers)), SHORTEST, MAX_INTERVAL_SECONDS);
  // A 304 response has no body, so it does not repeat the feed's declared interval. For this reason the interval never shrinks
  // without news.
  return isNews
    ? within(held / 2, asked, Math.max(asked, MAX_UNDECLARED_INTERVAL_SECONDS))
    : within(held * 1.25, asked, Math.max(asked, MAX_UNDECLARED_INTERVAL_SECONDS, held));
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
  return within(Math.max(doubled, retryAfter(headers, now)), SHORTEST, MAX_INTERVAL_SECONDS);
}

/**
 * Adds jitter of up to a tenth to a delay, so that feeds that were added together are not always fetched together. `random` is
 * from 0 to 1.
 */
export const spread = (seconds: number, random: number): number => Math.round(seconds * (1 + random / 10));
