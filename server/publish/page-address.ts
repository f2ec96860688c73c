/** A page that the world is told of; `narrowed` when its query shows only some of what the page has. */
export type PageAddress =
  | { readonly type: 'main'; readonly narrowed: boolean }
  /** By an id or username as it was written; `post` is a message's id. */
  | { readonly type: 'channel'; readonly channel: string; readonly post: number | null; readonly narrowed: boolean };

/** Parameters of a query that search, filter or go to a date. All others (as where a link was found) change nothing. */
const NARROWING = ['search', 'q', 'show', 'channels', 'media', 'from', 'to', 'date'];

/** Reads the path and query of an address; null for what is no page of channels and posts. */
export function readPageAddress(url: string): PageAddress | null {
  const [path = '', query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  const narrowed = NARROWING.some((name) => params.has(name));
  if (/^\/(main\/?)?$/.test(path)) return { type: 'main', narrowed };
  const [, named] = /^\/channel\/([^/]+)\/?$/.exec(path) ?? [];
  const channel = named === undefined ? null : decode(named);
  if (channel === null) return null;
  const post = params.get('post') ?? '';
  return { type: 'channel', channel, post: /^[1-9]\d{0,15}$/.test(post) ? Number(post) : null, narrowed };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
