/* Custom events of the tags. */

/** Dispatched when a tag shows its first content, or the first content after its attributes changed. */
export interface ContentLoaded {
  /** Number of posts that are shown; in the dial, of channels. */
  readonly count: number;
}

/** Dispatched when a tag cannot show its content. It shows its children instead, or a notice if it has none. */
export interface ContentFailed {
  readonly message: string;
}

/**
 * Dispatched when a reader opens a post: its page on our server, or the original post. If the event is cancelled,
 * the link does not open.
 */
export interface PostOpened {
  readonly channelId: string;
  readonly postId: number;
  readonly url: string;
}

/** Dispatched when an attribute's value is invalid; the tag ignores it. */
export interface AttributeRefused {
  readonly attribute: string;
  readonly value: string | null;
  /** Description of the valid values. */
  readonly expected: string;
}

/** Dispatched if two versions define a tag; the first remains. It is dispatched on the document, once for each tag. */
export interface VersionConflict {
  readonly tag: string;
  /** The version that stays; null if it is not one of ours. */
  readonly kept: string | null;
  readonly refused: string;
}

/** Events that tags dispatch; all bubble and are composed. */
export interface ChangerEvents {
  'changer-loaded': CustomEvent<ContentLoaded>;
  'changer-failed': CustomEvent<ContentFailed>;
  'changer-post-opened': CustomEvent<PostOpened>;
  'changer-attribute-refused': CustomEvent<AttributeRefused>;
}

declare global {
  interface HTMLElementEventMap extends ChangerEvents {}
  interface DocumentEventMap extends ChangerEvents {
    'changer-version-conflict': CustomEvent<VersionConflict>;
  }
}
