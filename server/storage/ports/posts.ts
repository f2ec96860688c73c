// Post port of the store: reads posts, and their dates.

import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import type { AccessScope, DateRange, PostDate, PostSpan, PostsQuery } from '../../domain/model.ts';

/** Reads of visible posts. `accessScope` is what the caller may read. */
export interface PostReader {
  posts(query: PostsQuery, accessScope: AccessScope): Promise<Post[]>;
  /** Returns the post or the album that contains this message. */
  post(channelId: string, messageId: number, accessScope: AccessScope): Promise<Post | null>;
  /** Returns the result of `channel`, and of `post` in this channel. With a channel's id it waits once for the database. */
  channelAndPost(
    idOrUsername: string,
    messageId: number,
    accessScope: AccessScope,
  ): Promise<{ readonly channel: Channel | null; readonly post: Post | null }>;
  /** Lists the posts of a channel, oldest first, with the time of their last change. Service messages are left out. */
  postDates(channelId: string, range: DateRange, accessScope: AccessScope): Promise<PostDate[]>;
  /** Returns the span of each of these channels that has posts, by channel id. */
  postSpans(channelIds: readonly string[], offset: number, accessScope: AccessScope): Promise<ReadonlyMap<string, PostSpan>>;
  /**
   * Returns the date of the post at offset `skip` after the oldest one dated `from` or later; null if there is none.
   */
  postDateAtOffset(channelId: string, from: number, skip: number, accessScope: AccessScope): Promise<number | null>;
}
