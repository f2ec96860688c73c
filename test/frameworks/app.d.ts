/** The data that the app of each framework shows. The app also receives the events of its tags. */
export interface Shown {
  readonly channels: readonly string[];
  readonly limit: number | null | undefined;
  readonly theme: 'light' | 'dark' | null | undefined;
  readonly rich: object;
  /** Content that the site puts into the tag of each channel. */
  readonly said: string;
  /** The array that is passed to the property of a feed, by identity. */
  readonly feed: readonly string[] | null;
  readonly post: { readonly channelId: string; readonly postId: number } | null;
}

/** Starts an app in `place`. Returns a function that shows other data and resolves when they are in the document. */
export type Start = (place: HTMLElement, shown: Shown, hear: (event: CustomEvent) => void) => (shown: Shown) => Promise<void>;
