// Page content: parses the addresses of public pages and reads their content for metadata.

import type { Channel } from '../../contract/channel.ts';
import type { Post } from '../../contract/post.ts';
import { isPublished } from '../../contract/published.ts';
import type { Store } from '../storage/ports/store.ts';
import { PUBLIC_ACCESS } from './site.ts';

/**
 * Public content of a page, for its metadata: a channel's newest posts without service messages. The page of all
 * channels has no posts here, because reading them again for its head took as long as the page itself.
 */
export type PageContent =
  | { readonly type: 'main'; readonly channels: readonly Channel[] }
  | { readonly type: 'channel'; readonly channel: Channel; readonly posts: readonly Post[] }
  | { readonly type: 'post'; readonly channel: Channel; readonly post: Post };

/** Number of channels in the metadata of the page of all channels. */
const MAX_CHANNELS = 100;
/** Number of a channel's posts in the metadata. */
const MAX_POSTS = 10;

/**
 * Reads the content of a page. Returns null if there is no public content: a private channel looks like a missing page.
 */
export async function readPageContent(address: PageAddress, store: Store): Promise<PageContent | null> {
  if (address.type === 'main') {
    const { channels } = await store.channelPage({ limit: MAX_CHANNELS }, PUBLIC_ACCESS);
    return { type: 'main', channels: channels.filter(isPublished) };
  }
  const channel = await store.channel(address.channel.replace(/^@/, ''), PUBLIC_ACCESS);
  if (channel === null) return null;
  if (address.post === null)
    return { type: 'channel', channel, posts: isPublished(channel) ? await readNewestPosts(channel, store) : [] };
  const post = await store.post(channel.id, address.post, PUBLIC_ACCESS);
  return post && { type: 'post', channel, post };
}

async function readNewestPosts({ id }: Channel, store: Store): Promise<Post[]> {
  const posts = await store.posts({ channelIds: [id], limit: MAX_POSTS }, PUBLIC_ACCESS);
  return posts.filter(({ service }) => service === undefined);
}

/** A public page. `narrowed` is true if its query shows only a part of the content. */
export type PageAddress =
  | { readonly type: 'main'; readonly narrowed: boolean }
  /** `channel` is an id or username as written in the address; `post` is a message id. */
  | { readonly type: 'channel'; readonly channel: string; readonly post: number | null; readonly narrowed: boolean };

/** Query parameters that search, filter or go to a date. All others (such as tracking parameters) change nothing. */
const FILTER_PARAMS = ['search', 'q', 'show', 'channels', 'media', 'from', 'to', 'date'];

/** Parses the path and query of an address. Returns null for addresses that are no pages of channels or posts. */
export function parsePageAddress(url: string): PageAddress | null {
  const [path = '', query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  const narrowed = FILTER_PARAMS.some((name) => params.has(name));
  if (/^\/(main\/?)?$/.test(path)) return { type: 'main', narrowed };
  const [, encoded] = /^\/channel\/([^/]+)\/?$/.exec(path) ?? [];
  const channel = encoded === undefined ? null : decodeOrNull(encoded);
  if (channel === null) return null;
  const post = params.get('post') ?? '';
  return { type: 'channel', channel, post: /^[1-9]\d{0,15}$/.test(post) ? Number(post) : null, narrowed };
}

function decodeOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
