/** The tags that the server draws for other sites, with the attributes that say what each shows. */
export const DRAWN_BY = {
  'changer-channel': ['channel-id', 'limit'],
  'changer-dial': [],
  'changer-feed': ['channels', 'limit'],
  'changer-post': ['channel-id', 'post-id'],
  'changer-search': ['channels', 'q', 'limit'],
} as const;

export type DrawnTag = keyof typeof DRAWN_BY;

/** Whether the server draws the tag of this name. */
export const isDrawn = (tag: string): tag is DrawnTag => Object.hasOwn(DRAWN_BY, tag);

/** Gives the path of a tag's drawing, by its attributes: always the same for the same, so that a site can name it in a preload. */
export function drawingOf(tag: DrawnTag, attribute: (name: string) => string | null | undefined): string {
  const query = new URLSearchParams();
  for (const name of [...DRAWN_BY[tag], 'lang']) {
    const value = attribute(name);
    if (value) query.set(name, value);
  }
  return `/elements/drawn/${tag}?${query}`;
}
