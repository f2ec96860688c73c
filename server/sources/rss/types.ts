import type { FeedFailure } from '../../../contract/failures.ts';
import type { Entity, Media } from '../../../contract/post.ts';
import type { Audience } from '../../domain/model.ts';
import type { SourceFailure } from '../../lib/failure-codes.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { FetchPublic } from '../fetch/safe-fetch.ts';

/** A text as a feed gives one. */
export type FeedText = { readonly html: string } | { readonly plain: string };

/** A file that an item names; sizes are bytes, durations seconds, as the feed says and nobody has checked. */
export interface FeedFile {
  readonly url: string;
  readonly type: Media['type'];
  readonly mime?: string;
  readonly size?: number;
  readonly duration?: number;
}

/** One item, whatever the feed's format. Dates are unix seconds; `base` is what its links resolve against. */
export interface FeedItem {
  readonly guid: string | null;
  readonly link: string | null;
  readonly title: FeedText | null;
  readonly content: FeedText | null;
  readonly date: number | null;
  readonly updated: number | null;
  readonly author: string | null;
  readonly files: readonly FeedFile[];
  readonly base: string;
}

/** A feed as it was read, its items in its own order; `everySeconds` is how often it says it changes. */
export interface ReadFeed {
  readonly title: FeedText | null;
  readonly about: FeedText | null;
  readonly picture: string | null;
  readonly everySeconds: number | null;
  readonly items: readonly FeedItem[];
}

/** A text of unknown or no contents: null where there is nothing in it. */
export const html = (text: string | undefined): FeedText | null => (text?.trim() ? { html: text } : null);
export const plain = (text: string | undefined): FeedText | null => (text?.trim() ? { plain: text } : null);

/** The first of some texts that says something. */
export const firstText = (...texts: readonly (FeedText | null)[]): FeedText | null => texts.find((text) => text !== null) ?? null;

/** A document that is no feed, or one that cannot be read; `message` is a sentence. */
export class FeedUnreadable extends Error {
  override readonly name = 'FeedUnreadable';
  readonly failure: SourceFailure<FeedFailure>;
  constructor(code: FeedFailure, sentence: string, { status, ...options }: ErrorOptions & { readonly status?: number } = {}) {
    super(sentence, options);
    this.failure = { code, sentence, ...(status !== undefined && { status }) };
  }
}

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

/** What crosses to the worker thread. */
export interface ReadOrder {
  readonly document: string;
  readonly address: string;
}

/** Message from the worker thread. Items are JSON: cheaper to receive than a million objects, and parsed one by one. */
export type ReadNews =
  | { readonly type: 'read'; readonly head: Omit<FeedDraft, 'items'>; readonly items: readonly string[] }
  | { readonly type: 'unreadable'; readonly failure: SourceFailure<FeedFailure> };

/** An item whose text is made and whose files are chosen, of JSON's types alone. */
export interface ItemDraft {
  readonly guid: string | null;
  readonly link: string | null;
  /** Identifies an item without a link by its texts; null for one with a link. */
  readonly textKey: string | null;
  readonly date: number | null;
  readonly updated: number | null;
  readonly text: string;
  readonly entities: readonly Entity[];
  /** A single line, empty where there is no author. */
  readonly author: string;
  readonly files: readonly FeedFile[];
}

/** A feed whose texts are made; `title` and `about` are one line, '' for none. */
export interface FeedDraft extends Pick<ReadFeed, 'picture' | 'everySeconds'> {
  readonly title: string;
  readonly about: string;
  readonly items: readonly ItemDraft[];
}
