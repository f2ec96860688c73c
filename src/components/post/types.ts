// Props and actions of a post, shared by the components that render it.
import type { ReactNode } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { PostExtra } from '../../../contract/extra.ts';
import type { Media, Post } from '../../../contract/post.ts';
import type { LinkContext } from '../../lib/links.ts';
import type { WritableSignal } from '../../lib/signal.ts';
import type { CommonChunkModule } from '../lazy-chunks/lazy-chunks.tsx';
import type { HighlightFinder } from '../rich-text/highlight.ts';
import type { Anchor } from '../Sheet.tsx';

/**
 * Jump within a list from a reply to the post that it replies to: the keys of both, and the position of the first in the window.
 */
export interface Jump {
  readonly from: string;
  readonly to: string;
  readonly top: number;
}

/** Observable of the last jump; null after the reader has gone back. */
export interface JumpSignal extends WritableSignal<Jump | null> {
  /** Mounts a post of the list that is unmounted. */
  mount(key: string): void;
}

/** Actions of a reader on a post. All posts of a list share the same object, so that a post renders only for its own changes. */
export interface PostActionHandlers {
  /** Absent without a signed-in reader, such as on a third-party page. */
  readonly star?: ((post: Post, starred: boolean) => void) | undefined;
  readonly share: (post: Post) => void;
  /** Copies the post's URL. */
  readonly copy: (post: Post) => void;
  readonly viewMedia: (post: Post, media: Media) => void;
  readonly jump: JumpSignal;
  /** Opens the post's menu. Absent without a signed-in reader. */
  readonly openMenu?: ((post: Post, anchor: Anchor) => void) | undefined;
  /** Renders the operator's actions for a post. Absent for readers. */
  readonly renderModeration?: ((post: Post) => ReactNode) | undefined;
}

export interface PostProps {
  readonly post: Post;
  readonly channel: Channel;
  readonly linkContext: LinkContext;
  /** `plain` on the channel's own page. */
  readonly headerStyle: 'channel' | 'plain';
  /** Number of the channel on the dial; null if it has none. */
  readonly number: number | null;
  /** Unix time in ms, for the relative dates. */
  readonly now: number;
  readonly unread: boolean;
  readonly starred: boolean;
  readonly actions: PostActionHandlers;
  /** Position in the feed, from 1, and the length of the feed; -1 while it is unknown. */
  readonly position: number;
  readonly listLength: number;
  /** Finds the search hits to highlight in its text. */
  readonly findHighlights?: HighlightFinder | undefined;
  /** True for the post that the page's URL names. */
  readonly isUrlTarget?: boolean | undefined;
  /** Heading of the day if it is the first post of that day in a list; otherwise none. */
  readonly day?: string | false | undefined;
}

/** Extra content of a given type, with the props of its post. */
export interface ExtraPropsOf<Type extends PostExtra['type']> extends PostProps {
  readonly extra: Extract<PostExtra, { type: Type }>;
  readonly commonChunk: CommonChunkModule;
}
