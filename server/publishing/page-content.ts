import type { Channel } from '../../contract/channel.ts';
import type { Post } from '../../contract/post.ts';
import { isPublished } from '../../contract/published.ts';
import type { Store } from '../storage/ports/store.ts';
import { EVERYBODY, publishedChannels } from './site.ts';

/**
 * What a page shows to everybody, as far as others are told of it: a channel's newest posts without those that only say what
 * happened. Of the page of all channels the posts are left out: to read them again for its head took as long as the page itself.
 */
export type PageFacts =
  | { readonly type: 'main'; readonly channels: readonly Channel[] }
  | { readonly type: 'channel'; readonly channel: Channel; readonly posts: readonly Post[] }
  | { readonly type: 'post'; readonly channel: Channel; readonly post: Post };

/** Posts of a channel that are told of. */
const MOST = 10;

/** Reads what a page shows; null where nothing is there for everybody: a private channel's page is as one that never was. */
export async function readPageFacts(address: PageAddress, store: Store): Promise<PageFacts | null> {
  if (address.type === 'main') return { type: 'main', channels: await publishedChannels(store) };
  const channel = await store.channel(address.channel.replace(/^@/, ''), EVERYBODY);
  if (channel === null) return null;
  if (address.post === null) return { type: 'channel', channel, posts: isPublished(channel) ? await newest(channel, store) : [] };
  const post = await store.post(channel.id, address.post, EVERYBODY);
  return post && { type: 'post', channel, post };
}

async function newest({ id }: Channel, store: Store): Promise<Post[]> {
  const posts = await store.posts({ channelIds: [id], limit: MOST }, EVERYBODY);
  return posts.filter(({ service }) => service === undefined);
}

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
