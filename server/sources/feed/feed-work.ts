import type { Audience } from '../../domain/model.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { FetchPublic } from '../fetch/safe-fetch.ts';

/** What reading feeds needs; `now` is in milliseconds. */
export interface FeedWork {
  readonly store: Store;
  readonly fetchPublic: FetchPublic;
  readonly now: () => number;
}

/** Feeds are read for everybody. */
export const ALL_CHANNELS: Audience = { privateChannels: 'all' };

/** What a feed's address may answer: XML and JSON under all the names that servers give them, and pages that name a feed. */
export const FEED_TYPES = /xml|json|^text\/|^application\/octet-stream$/;

/** What is asked for, in the order of what is liked best. */
export const FEED_ACCEPT =
  'application/atom+xml, application/rss+xml, application/rdf+xml, application/feed+json, application/json;q=0.9, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';
