/** What an app of each framework shows; it hears what its tags tell. */
export interface Shown {
  readonly channels: readonly string[];
  readonly limit: number | null | undefined;
  readonly theme: 'light' | 'dark' | null | undefined;
  readonly rich: object;
  /** What the site writes into each channel's tag. */
  readonly said: string;
  /** The very array that a feed's property is given. */
  readonly feed: readonly string[] | null;
  readonly post: { readonly channelId: string; readonly postId: number } | null;
}

/** Starts an app in `place`; what it gives shows something else, and is done when that stands in the document. */
export type Start = (place: HTMLElement, shown: Shown, hear: (event: CustomEvent) => void) => (shown: Shown) => Promise<void>;
