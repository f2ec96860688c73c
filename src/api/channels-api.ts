// API of channels, posts, feed, search and the reader's state: typed calls over the HTTP client.

import type { ChannelPage, Mark, MarkPage, Me, Merge, PostAnswer, PostPage, StarPage, Unread } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Lineup, LineupChange } from '../../contract/lineup.ts';
import * as parse from '../../contract/parse.ts';
import type { Parse } from '../../contract/shape.ts';
import type { Client, GetOptions } from './types.ts';

/** Options of a read request; see `GetOptions`. */
export type Read = Pick<GetOptions, 'signal' | 'fresh'>;

/** Filter of a list of posts. Cursors are opaque, `around` is a message id, `date` is unix seconds, `channels` are ids. */
export interface PostsRequest {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly around?: number | undefined;
  readonly date?: number | undefined;
  readonly limit?: number | undefined;
  readonly media?: boolean | undefined;
  readonly q?: string | undefined;
  readonly channels?: readonly string[] | undefined;
}

/** Filter of a search. `channels` and `media` are comma-separated lists, `from` and `to` are unix seconds. */
export interface SearchRequest extends Pick<PostsRequest, 'before' | 'after' | 'limit' | 'q'> {
  readonly channels?: string | undefined;
  readonly media?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * API calls that the data layer makes. The parsers of contract/ validate the responses. `key` is the idempotency key of a
 * change; see `Client`.
 */
export interface Api {
  /** Returns the directory, and those of the reader-added (unlisted) feeds that `also` names, at most 200. */
  channels(also: readonly string[], read?: Read): Promise<ChannelPage>;
  channel(idOrUsername: string, read?: Read): Promise<Channel>;
  posts(idOrUsername: string, request: PostsRequest, read?: Read): Promise<PostPage>;
  post(channelId: string, id: number, read?: Read): Promise<PostAnswer>;
  feed(request: PostsRequest, read?: Read): Promise<PostPage>;
  search(request: SearchRequest, read?: Read): Promise<PostPage>;
  lineup(read?: Read): Promise<Lineup>;
  putLineup(change: LineupChange, key?: string): Promise<Lineup>;
  marks(read?: Read): Promise<MarkPage>;
  /** Returns unread counts. `keptUnread` are ids of posts at or before the read marker that count as unread too. */
  unread(marks: readonly (Mark & { readonly keptUnread?: readonly string[] })[], read?: Read): Promise<readonly Unread[]>;
  /** Stores a read marker. `exact` may also move it backwards. */
  putMark(mark: Mark, exact: boolean, key?: string): Promise<Mark>;
  /** Marks a post as kept unread, or removes that mark. `post` is the key of a post (`channelId/id`). */
  setKeptUnread(post: string, kept: boolean, key?: string): Promise<void>;
  stars(cursor: { before?: string | undefined; limit?: number }, read?: Read): Promise<StarPage>;
  putStar(channelId: string, postId: number, key?: string): Promise<void>;
  dropStar(channelId: string, postId: number, key?: string): Promise<void>;
  me(read?: Read): Promise<Me>;
  endSession(): Promise<void>;
  merge(merge: Merge): Promise<void>;
}

const LINEUP = '/api/lineup';
const MARKS = '/api/marks';
const STARS = '/api/stars';
const UNREAD = '/api/unread';
const FEED = '/api/feed';
const CHANNELS = '/api/channels';

const at = (...parts: (string | number)[]): string =>
  parts.map((part, index) => (index === 0 ? part : encodeURIComponent(part))).join('/');

const params = ({ media, channels, ...rest }: PostsRequest) => ({
  ...rest,
  media: media === true ? 1 : undefined,
  channels: channels?.join(','),
});

/** Creates the API on top of an HTTP client. */
export function createApi(client: Client): Api {
  async function get<Value>(parser: Parse<Value>, path: string, options: GetOptions = {}): Promise<Value> {
    return parser(await client.get(path, options), path);
  }
  async function write(...args: Parameters<Client['write']>): Promise<void> {
    await client.write(...args);
  }

  return {
    // The server rejects a request with more ids than this (two devices' feeds, merged). Then the reader would see no channel
    // at all.
    channels: (also, read) =>
      get(parse.channelPage, CHANNELS, { ...read, params: { also: also.slice(0, 200).join() || undefined } }),
    channel: (id, read) => get(parse.channel, at(CHANNELS, id), read),
    posts: (id, request, read) => get(parse.postPage, `${at(CHANNELS, id)}/posts`, { ...read, params: params(request) }),
    post: (channelId, id, read) => get(parse.postAnswer, at('/api/posts', channelId, id), read),
    feed: (request, read) => get(parse.postPage, FEED, { ...read, params: params(request) }),
    search: (request, read) => get(parse.postPage, '/api/search', { ...read, params: { ...request } }),

    lineup: (read) => get(parse.lineup, LINEUP, read),
    async putLineup(change, key) {
      return parse.lineup(await client.write('put', LINEUP, change, [LINEUP, FEED, UNREAD], key), LINEUP);
    },
    marks: (read) => get(parse.markPage, MARKS, read),
    async unread(marks, read) {
      const asked = marks
        .map(({ channelId, messageId, keptUnread = [] }) => [channelId, messageId, ...keptUnread].join('.'))
        .join();
      return (await get(parse.unreadPage, UNREAD, { ...read, params: { marks: asked } })).items;
    },
    async putMark({ channelId, messageId }, exact, key) {
      const path = `${at(CHANNELS, channelId)}/read`;
      return parse.mark(await client.write('put', path, { messageId, exact }, [MARKS, UNREAD], key), path);
    },
    setKeptUnread: (post, kept, key) =>
      write(kept ? 'put' : 'delete', at('/api/kept-unread', ...post.split('/')), undefined, [MARKS, UNREAD], key),
    stars: (cursor, read) => get(parse.starPage, STARS, { ...read, params: cursor }),
    putStar: (channelId, postId, key) => write('put', at(STARS, channelId, postId), undefined, [STARS], key),
    dropStar: (channelId, postId, key) => write('delete', at(STARS, channelId, postId), undefined, [STARS], key),

    me: (read) => get(parse.me, '/api/me', read),
    endSession: () => write('delete', '/api/session', undefined, ['/api/']),
    merge: (merge) => write('post', '/api/me/merge', merge, [LINEUP, MARKS, STARS, FEED, UNREAD]),
  };
}
