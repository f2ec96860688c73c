import type { Channel } from '../../contract/channel.ts';
import type { Post } from '../../contract/post.ts';
import { isPublished } from '../../contract/published.ts';
import type { PageAddress } from '../publish/page-address.ts';
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
