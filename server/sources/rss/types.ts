import type { Media } from '../../../contract/post.ts';

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
