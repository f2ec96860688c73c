// API of channels, posts, feed, search and the reader's state: typed calls over the HTTP client.

import type {
  ChannelUnread,
  DeviceState,
  Me,
  PagedChannels,
  PagedPosts,
  PostResponse,
  ReadMarker,
  ReadMarkerPage,
  StarPage,
} from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Lineup, LineupChange } from '../../contract/lineup.ts';
import * as parse from '../../contract/parse.ts';
import type { Parse } from '../../contract/shape.ts';
import type { GetOptions, HttpClient } from './types.ts';

/** Options of a read request; see `GetOptions`. */
export type RequestOptions = Pick<GetOptions, 'signal' | 'fresh'>;

/**
 * Filter of a list of posts. The cursors `before` and `after` are opaque, `around` is a message id, `date` is unix
 * seconds, `channels` are ids.
 */
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

/**
 * Filter of a search. `channels` (ids) and `media` (kinds) are comma-separated lists, `from` and `to` are unix seconds.
 */
export interface SearchRequest extends Pick<PostsRequest, 'before' | 'after' | 'limit' | 'q'> {
  readonly channels?: string | undefined;
  readonly media?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Channels to request: those with these ids, or a page of those whose name contains `q`, after a cursor. */
export interface ChannelsRequest {
  readonly ids?: readonly string[];
  readonly q?: string;
  readonly after?: string;
}

/**
 * API calls that the data layer makes. The parsers of contract/ validate the responses. `key` is the idempotency key of
 * a change; see `HttpClient`.
 */
export interface ChannelsApi {
  /** Returns a page of the listed channels, or the channels with these ids. */
  channels(request: ChannelsRequest, options?: RequestOptions): Promise<PagedChannels>;
  channel(idOrUsername: string, options?: RequestOptions): Promise<Channel>;
  posts(idOrUsername: string, request: PostsRequest, options?: RequestOptions): Promise<PagedPosts>;
  post(channelId: string, id: number, options?: RequestOptions): Promise<PostResponse>;
  feed(request: PostsRequest, options?: RequestOptions): Promise<PagedPosts>;
  search(request: SearchRequest, options?: RequestOptions): Promise<PagedPosts>;
  lineup(options?: RequestOptions): Promise<Lineup>;
  putLineup(change: LineupChange, key?: string): Promise<Lineup>;
  readMarkers(options?: RequestOptions): Promise<ReadMarkerPage>;
  /** Returns unread counts. `keptUnread` are ids of posts at or before the read marker that count as unread too. */
  unread(
    readMarkers: readonly (ReadMarker & { readonly keptUnread?: readonly string[] })[],
    options?: RequestOptions,
  ): Promise<readonly ChannelUnread[]>;
  /** Stores a read marker. With `exact` it may also move backwards. Returns the stored marker. */
  putReadMarker(readMarker: ReadMarker, exact: boolean, key?: string): Promise<ReadMarker>;
  /** Marks a post as kept unread, or removes that mark. `postKey` is `channelId/id`. */
  setKeptUnread(postKey: string, isKeptUnread: boolean, key?: string): Promise<void>;
  stars(cursor: { before?: string | undefined; limit?: number }, options?: RequestOptions): Promise<StarPage>;
  putStar(channelId: string, postId: number, key?: string): Promise<void>;
  deleteStar(channelId: string, postId: number, key?: string): Promise<void>;
  me(options?: RequestOptions): Promise<Me>;
  endSession(): Promise<void>;
  /** Merges the state of this device, from before the sign-in, into that of the reader. */
  merge(deviceState: DeviceState): Promise<void>;
}

const LINEUP = '/api/lineup';
const MARKS = '/api/marks';
const STARS = '/api/stars';
const UNREAD = '/api/unread';
const FEED = '/api/feed';
const CHANNELS = '/api/channels';

/** Joins a root path and segments, which are encoded. */
const buildPath = (...segments: (string | number)[]): string =>
  segments.map((segment, index) => (index === 0 ? segment : encodeURIComponent(segment))).join('/');

const toParams = ({ media, channels, ...others }: PostsRequest) => ({
  ...others,
  media: media === true ? 1 : undefined,
  channels: channels?.join(','),
});

/** Creates the API on top of an HTTP client. */
export function createChannelsApi(client: HttpClient): ChannelsApi {
  async function get<Value>(parser: Parse<Value>, path: string, options: GetOptions = {}): Promise<Value> {
    return parser(await client.get(path, options), path);
  }
  async function write(...args: Parameters<HttpClient['write']>): Promise<void> {
    await client.write(...args);
  }

  return {
    channels: ({ ids, ...page }, options) =>
      get(parse.pagedChannels, CHANNELS, { ...options, params: { ...page, ids: ids?.join() } }),
    channel: (id, options) => get(parse.channel, buildPath(CHANNELS, id), options),
    posts: (id, request, options) =>
      get(parse.pagedPosts, `${buildPath(CHANNELS, id)}/posts`, { ...options, params: toParams(request) }),
    post: (channelId, id, options) => get(parse.postResponse, buildPath('/api/posts', channelId, id), options),
    feed: (request, options) => get(parse.pagedPosts, FEED, { ...options, params: toParams(request) }),
    search: (request, options) => get(parse.pagedPosts, '/api/search', { ...options, params: { ...request } }),

    lineup: (options) => get(parse.lineup, LINEUP, options),
    async putLineup(change, key) {
      return parse.lineup(await client.write('put', LINEUP, change, [LINEUP, FEED, UNREAD], key), LINEUP);
    },
    readMarkers: (options) => get(parse.readMarkerPage, MARKS, options),
    async unread(readMarkers, options) {
      const serializedMarkers = readMarkers
        .map(({ channelId, messageId, keptUnread = [] }) => [channelId, messageId, ...keptUnread].join('.'))
        .join();
      return (await get(parse.unreadPage, UNREAD, { ...options, params: { marks: serializedMarkers } })).items;
    },
    async putReadMarker({ channelId, messageId }, exact, key) {
      const path = `${buildPath(CHANNELS, channelId)}/read`;
      return parse.readMarker(await client.write('put', path, { messageId, exact }, [MARKS, UNREAD], key), path);
    },
    setKeptUnread: (postKey, isKeptUnread, key) =>
      write(
        isKeptUnread ? 'put' : 'delete',
        buildPath('/api/kept-unread', ...postKey.split('/')),
        undefined,
        [MARKS, UNREAD],
        key,
      ),
    stars: (cursor, options) => get(parse.starPage, STARS, { ...options, params: cursor }),
    putStar: (channelId, postId, key) => write('put', buildPath(STARS, channelId, postId), undefined, [STARS], key),
    deleteStar: (channelId, postId, key) => write('delete', buildPath(STARS, channelId, postId), undefined, [STARS], key),

    me: (options) => get(parse.me, '/api/me', options),
    endSession: () => write('delete', '/api/session', undefined, ['/api/']),
    merge: (deviceState) => write('post', '/api/me/merge', deviceState, [LINEUP, MARKS, STARS, FEED, UNREAD]),
  };
}
