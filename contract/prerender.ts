/**
 * Server-side rendering: the tags that the server renders for other sites, with the attributes that select the content
 * of each.
 */
export const PRERENDER_ATTRIBUTES = {
  'changer-channel': ['channel-id', 'limit'],
  'changer-dial': [],
  'changer-feed': ['channels', 'limit'],
  'changer-post': ['channel-id', 'post-id'],
  'changer-search': ['channels', 'q', 'limit'],
} as const;

export type PrerenderedTag = keyof typeof PRERENDER_ATTRIBUTES;

/** Returns true if the server renders the tag of this name. */
export const isPrerendered = (tag: string): tag is PrerenderedTag => Object.hasOwn(PRERENDER_ATTRIBUTES, tag);

/**
 * Returns the path of a tag's server-rendered HTML. The same attributes always result in the same path, so a site can
 * name it in a preload.
 */
export function prerenderPath(tag: PrerenderedTag, getAttribute: (name: string) => string | null | undefined): string {
  const query = new URLSearchParams();
  for (const name of [...PRERENDER_ATTRIBUTES[tag], 'lang']) {
    const value = getAttribute(name);
    if (value) query.set(name, value);
  }
  return `/elements/drawn/${tag}?${query}`;
}
