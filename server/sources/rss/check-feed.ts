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

/** The feed is not there any more, says its server (410 Gone), and nobody should ask again. */
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
 * Asks a feed for news and takes them in. Answers how the feed is doing then; throws only what is our own fault (the store, the
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

/** No feed is asked more often, or less. */
const SHORTEST = 10 * MINUTE;
const LONGEST = DAY;

/** A quiet feed that does not say how often it changes is asked at least this often. */
const LONGEST_UNTOLD = 6 * HOUR;

/** The pause before anything is known of a feed. */
export const FIRST_INTERVAL = 30 * MINUTE;

/** A feed that fails for this long is paused: readers are told that it is not followed. */
export const PAUSED_AFTER = 3 * DAY;

const within = (seconds: number, least: number, most: number) => Math.round(Math.min(Math.max(seconds, least), most));

const maxAge = (headers: IncomingHttpHeaders): number =>
  Number(/(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1] ?? 0);

/**
 * Decides the pause in seconds after an answer: shorter where there was news, longer where not, and never below what the feed
 * (`told`) or its server (max-age) asks for.
 */
export function nextInterval(held: number, isNews: boolean, told: number | null, headers: IncomingHttpHeaders): number {
  const asked = within(Math.max(told ?? 0, maxAge(headers)), SHORTEST, LONGEST);
  // An answer without the feed (304) does not repeat what it told: without news a pause never shrinks.
  return isNews
    ? within(held / 2, asked, Math.max(asked, LONGEST_UNTOLD))
    : within(held * 1.25, asked, Math.max(asked, LONGEST_UNTOLD, held));
}

const retryAfter = (headers: IncomingHttpHeaders, now: number): number => {
  const told = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(told)) return Number(told);
  const date = Date.parse(told);
  return Number.isNaN(date) ? 0 : date / 1000 - now;
};

/** Decides the pause in seconds after the nth failure in a row: twice as long each time, and as long as the server asks for. */
export function retryDelay(interval: number, failures: number, headers: IncomingHttpHeaders, now: number): number {
  const doubled = interval * 2 ** Math.min(failures - 1, 10);
  return within(Math.max(doubled, retryAfter(headers, now)), SHORTEST, LONGEST);
}

/** Moves a pause by up to a tenth, so that feeds added together are not asked together for ever; `random` is from 0 to 1. */
export const spread = (seconds: number, random: number): number => Math.round(seconds * (1 + random / 10));
