import type { ChannelPage, Mark, MarkPage, Me, Merge, PostAnswer, PostPage, StarPage, Unread } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Lineup, LineupChange } from '../../contract/lineup.ts';
import * as parse from '../../contract/parse.ts';
import type { Parse } from '../../contract/shape.ts';
import type { Client, GetOptions } from './types.ts';

/** How a read is made; see GetOptions. */
export type Read = Pick<GetOptions, 'signal' | 'fresh'>;

/** Which posts: cursors are opaque; `around` is a message id; `date` unix seconds; channels are ids. */
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

/** What a search asks for: names and kinds with commas between, unix seconds. */
export interface SearchRequest extends Pick<PostsRequest, 'before' | 'after' | 'limit' | 'q'> {
  readonly channels?: string | undefined;
  readonly media?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The calls of the API that the data area makes, their answers read by the contract's parsers. A `key` names a change; see Client. */
export interface Api {
  /** The directory, and of the channels from elsewhere those that are named, 200 at most. */
  channels(also: readonly string[], read?: Read): Promise<ChannelPage>;
  channel(idOrUsername: string, read?: Read): Promise<Channel>;
  posts(idOrUsername: string, request: PostsRequest, read?: Read): Promise<PostPage>;
  post(channelId: string, id: number, read?: Read): Promise<PostAnswer>;
  feed(request: PostsRequest, read?: Read): Promise<PostPage>;
  search(request: SearchRequest, read?: Read): Promise<PostPage>;
  lineup(read?: Read): Promise<Lineup>;
  putLineup(change: LineupChange, key?: string): Promise<Lineup>;
  marks(read?: Read): Promise<MarkPage>;
  /** `keptUnread` are the ids of posts up to the mark that count too. */
  unread(marks: readonly (Mark & { readonly keptUnread?: readonly string[] })[], read?: Read): Promise<readonly Unread[]>;
  /** `exact` moves the mark backwards too. */
  putMark(mark: Mark, exact: boolean, key?: string): Promise<Mark>;
  /** `post` is the key of one. */
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

/** Makes the calls over a client. */
export function createApi(client: Client): Api {
  async function get<Value>(parser: Parse<Value>, path: string, options: GetOptions = {}): Promise<Value> {
    return parser(await client.get(path, options), path);
  }
  async function write(...args: Parameters<Client['write']>): Promise<void> {
    await client.write(...args);
  }

  return {
    // More names than the server takes (two devices' feeds, merged) would leave the reader without any channel.
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
