// Props and actions of a post, shared by the components that render it.
import type { ReactNode } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Extra } from '../../../contract/extra.ts';
import type { Media, Post } from '../../../contract/post.ts';
import type { Place } from '../../lib/links.ts';
import type { Cell } from '../../lib/signal.ts';
import type { Parts } from '../lazy-chunks/lazy-chunks.tsx';
import type { Find } from '../rich-text/highlight.ts';
import type { Anchor } from '../Sheet.tsx';

/** A jump within a list, from a post to the one that it answers: their keys, and where the first one stood in the window. */
export interface Jump {
  readonly from: string;
  readonly to: string;
  readonly top: number;
}

/** The last jump, until the reader has gone back. */
export interface Jumps extends Cell<Jump | null> {
  /** Draws a post that the list holds and the page had sent away. */
  draw(key: string): void;
}

/** What a reader can do with a post; the same object for every post of a list, so that posts render only for their own changes. */
export interface PostActs {
  /** Absent where no reader is: on a foreign page. */
  readonly star?: ((post: Post, starred: boolean) => void) | undefined;
  readonly share: (post: Post) => void;
  /** Copies the post's address. */
  readonly copy: (post: Post) => void;
  readonly view: (post: Post, media: Media) => void;
  readonly jump: Jumps;
  /** Opens the post's menu; absent where no reader is. */
  readonly more?: ((post: Post, anchor: Anchor) => void) | undefined;
  /** What an operator can do with it; absent for readers. */
  readonly operate?: ((post: Post) => ReactNode) | undefined;
}

export interface PostProps {
  readonly post: Post;
  readonly channel: Channel;
  readonly place: Place;
  /** `plain` on the channel's own page. */
  readonly head: 'channel' | 'plain';
  readonly number: number | null;
  /** Unix ms, for the relative dates. */
  readonly now: number;
  readonly unread: boolean;
  readonly starred: boolean;
  readonly acts: PostActs;
  /** Its place in the feed, from 1, and the feed's length, -1 while that is not known. */
  readonly position: number;
  readonly size: number;
  /** Finds what to highlight in its text. */
  readonly find?: Find | undefined;
  /** The post that the address names. */
  readonly named?: boolean | undefined;
  /** The heading of its day, where it is the first post of that day in a list; none otherwise. */
  readonly day?: string | false | undefined;
}

/** An extra of a kind, and the post that it belongs to. */
export interface ExtraOf<Type extends Extra['type']> extends PostProps {
  readonly extra: Extract<Extra, { type: Type }>;
  readonly parts: Parts;
}
