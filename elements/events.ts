/** The first content stands in a tag, or that of what its attributes name now. */
export interface Loaded {
  /** Posts that stand; in the dial, channels. */
  readonly count: number;
}

/** A tag cannot show its content: what it holds between its tags stands instead, else a notice. */
export interface Failed {
  readonly message: string;
}

/** A reader goes to a post: to its page of ours, or to where it was published. Cancelable: then our link leads nowhere. */
export interface PostOpened {
  readonly channelId: string;
  readonly postId: number;
  readonly url: string;
}

/** An attribute's value is none that it takes; the tag goes on without it. */
export interface AttributeRefused {
  readonly attribute: string;
  readonly value: string | null;
  /** What it would take. */
  readonly expected: string;
}

/** Two versions define a tag: the first stays. Told of on the document, once for each tag. */
export interface VersionConflict {
  readonly tag: string;
  /** The version that stays; null where it is none of ours. */
  readonly kept: string | null;
  readonly refused: string;
}

/** What tags tell a page; all bubble and are composed. */
export interface ChangerEvents {
  'changer-loaded': CustomEvent<Loaded>;
  'changer-failed': CustomEvent<Failed>;
  'changer-post-opened': CustomEvent<PostOpened>;
  'changer-attribute-refused': CustomEvent<AttributeRefused>;
}

declare global {
  interface HTMLElementEventMap extends ChangerEvents {}
  interface DocumentEventMap extends ChangerEvents {
    'changer-version-conflict': CustomEvent<VersionConflict>;
  }
}
