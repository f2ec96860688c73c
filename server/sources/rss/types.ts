/** Types of feed parsing: parsed feeds and items, drafts, and messages of the worker thread. */
import type { FeedFailure } from '../../../contract/failures.ts';
import type { Entity, Media } from '../../../contract/post.ts';
import type { SourceFailure } from '../../lib/failure-codes.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { FetchPublic } from '../fetch/safe-fetch.ts';

/** A text of a feed, in HTML or plain. */
export type FeedText = { readonly html: string } | { readonly plain: string };

/** A file of an item. Sizes are bytes, durations seconds; both are values of the feed that were not verified. */
export interface FeedFile {
  readonly url: string;
  readonly type: Media['type'];
  readonly mime?: string;
  readonly size?: number;
  readonly duration?: number;
}

/**
 * An item, in a form that is independent of the feed's format. Dates are unix seconds; `base` is the base URL of its
 * links.
 */
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

/** A parsed feed; items are in their original order. `everySeconds` is the update interval that the feed declares. */
export interface ParsedFeed {
  readonly title: FeedText | null;
  readonly about: FeedText | null;
  readonly picture: string | null;
  readonly everySeconds: number | null;
  readonly items: readonly FeedItem[];
}

/** Converts an optional HTML string to a feed text; null if it is blank. */
export const htmlTextOf = (text: string | undefined): FeedText | null => (text?.trim() ? { html: text } : null);
/** Converts an optional plain string to a feed text; null if it is blank. */
export const plainTextOf = (text: string | undefined): FeedText | null => (text?.trim() ? { plain: text } : null);

/** Returns the first text that is not null. */
export const firstText = (...texts: readonly (FeedText | null)[]): FeedText | null => texts.find((text) => text !== null) ?? null;

/** Error of a document that is not a feed or cannot be parsed; `message` is a sentence. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
  readonly failure: SourceFailure<FeedFailure>;
  constructor(code: FeedFailure, sentence: string, { status, ...options }: ErrorOptions & { readonly status?: number } = {}) {
    super(sentence, options);
    this.failure = { code, sentence, ...(status !== undefined && { status }) };
  }
}

/** Dependencies of feed processing; `now` is in milliseconds. */
export interface FeedDeps {
  readonly store: Store;
  readonly fetchPublic: FetchPublic;
  readonly now: () => number;
}

/**
 * Accepted content types of a feed's URL: XML and JSON under all the types that servers use for them, and pages that
 * link to a feed.
 */
export const FEED_TYPES = /xml|json|^text\/|^application\/octet-stream$/;

/** Accept header, in order of preference. */
export const FEED_ACCEPT =
  'application/atom+xml, application/rss+xml, application/rdf+xml, application/feed+json, application/json;q=0.9, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

/** Message to the worker thread. */
export interface ParseRequest {
  readonly document: string;
  readonly address: string;
}

/**
 * Message from the worker thread. `json` contains the items as JSON, one after another, and `ends` the byte position
 * where each ends. Both are transferred, not copied: to receive 25 MB of text at once would block the event loop for
 * 100 ms.
 */
export type ParseResponse =
  | { readonly type: 'read'; readonly head: Omit<FeedDraft, 'items'>; readonly json: Uint8Array; readonly ends: Float64Array }
  | { readonly type: 'unreadable'; readonly failure: SourceFailure<FeedFailure> };

/** An item with its final text and selected files. It contains only JSON types. */
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

/** A feed with its final texts. `title` and `about` are single lines, '' if absent. */
export interface FeedDraft extends Pick<ParsedFeed, 'picture' | 'everySeconds'> {
  readonly title: string;
  readonly about: string;
  readonly items: readonly ItemDraft[];
}
