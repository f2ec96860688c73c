/**
 * Server-side rendering: the tags that the server renders for other sites, with the attributes that select the content of each.
 */
export const DRAWN_BY = {
  'changer-channel': ['channel-id', 'limit'],
  'changer-dial': [],
  'changer-feed': ['channels', 'limit'],
  'changer-post': ['channel-id', 'post-id'],
  'changer-search': ['channels', 'q', 'limit'],
} as const;

export type DrawnTag = keyof typeof DRAWN_BY;

/** Returns whether the server renders the tag of this name. */
export const isDrawn = (tag: string): tag is DrawnTag => Object.hasOwn(DRAWN_BY, tag);

/**
 * Returns the path of a tag's server-rendered HTML. The same attributes always result in the same path, so a site can name it
 * in a preload.
 */
export function drawingOf(tag: DrawnTag, attribute: (name: string) => string | null | undefined): string {
  const query = new URLSearchParams();
  for (const name of [...DRAWN_BY[tag], 'lang']) {
    const value = attribute(name);
    if (value) query.set(name, value);
  }
  return `/elements/drawn/${tag}?${query}`;
}
