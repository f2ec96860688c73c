// Fake server in memory for tests of the data layer.

import type { DeviceState, ReadMarker, Star } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { LineupChange, LineupContents } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import type { Post } from '../../../contract/post.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { GetOptions, HttpClient } from '../../../src/api/types.ts';

export function makeChannel(id: string, more: Partial<Channel> = {}): Channel {
  return { id, title: `Channel ${id}`, source: 'export', state: 'live', private: false, demo: false, ...more };
}

export function makePost(channelId: string, id: number, more: Partial<Post> = {}): Post {
  return {
    channelId,
    id,
    date: 1_700_000_000 + id * 60,
    text: `${channelId} ${id}`,
    entities: [],
    media: [],
    reactions: [],
    ...more,
  };
}

export const makePosts = (channelId: string, count: number): Post[] =>
  Array.from({ length: count }, (_, index) => makePost(channelId, index + 1));

/** The data of one reader on the server. */
export interface FakeAccount {
  readonly id: string;
  lineup: LineupContents;
  version: number;
  marks: Map<string, number>;
  stars: Map<string, Star>;
  keptUnread: Set<string>;
  /** The ids (idempotency keys) of the applied changes. */
  readonly appliedKeys: Set<string>;
}

export const makeAccount = (id: string): FakeAccount => ({
  id,
  lineup: { entries: [] },
  version: 0,
  marks: new Map(),
  stars: new Map(),
  keptUnread: new Set(),
  appliedKeys: new Set(),
});
export const userOf = (account: FakeAccount) => ({ id: account.id, name: `Reader ${account.id}`, operator: false });

type Reach = 'up' | 'down' | 'mute' | { readonly status: number; readonly detail: string };

/**
 * A server in memory that implements HttpClient: it receives paths and parameters and returns JSON, as the real
 * server does.
 */
export class FakeServer {
  channels: Channel[] = [];
  /** Number of channels in a page of the directory. */
  pageChannels = 100;
  posts: Post[] = [];
  /** The reader of the token of the next request. */
  account: FakeAccount | null = null;
  /**
   * Reachability of the server. With `mute`, requests arrive but no response comes back. With a status, writes and searches get
   * that status.
   */
  reachability: Reach = 'up';
  /** Every request that arrived, as `GET /api/feed?limit=20`. */
  readonly log: string[] = [];
  /** Requests that did not arrive. */
  readonly missed: string[] = [];
  /** Requests that the caller aborted. */
  readonly aborted: string[] = [];
  /** The matches that a search reports, by the key of the post; undefined to act as a server that does not report them. */
  hits: Record<string, number[]> | undefined;
  #pending: (() => void)[] | null = null;
  #holding = '';

  /** Holds responses back until `release`: all of them, or those to requests that begin with `start`. */
  hold(start = ''): void {
    this.#pending ??= [];
    this.#holding = start;
  }
  release(): void {
    const pending = this.#pending ?? [];
    this.#pending = null;
    for (const respond of pending) respond();
  }
  requestsTo(start: string): string[] {
    return this.log.filter((line) => line.startsWith(start));
  }

  readonly client: HttpClient = {
    get: async (path, options: GetOptions = {}) => {
      const params = new URLSearchParams();
      for (const [key, value] of Object.entries(options.params ?? {})) if (value !== undefined) params.set(key, String(value));
      const line = `GET ${path}${params.size > 0 ? `?${decodeURIComponent(params.toString())}` : ''}`;
      this.#arrive(line);
      if (typeof this.reachability === 'object' && path === '/api/search')
        throw new ApiError(this.reachability.detail, this.reachability.status);
      const response = this.#respond(path, params);
      if (this.reachability === 'mute') throw new ApiError('No response received', null);
      await Promise.race([this.#waitIfHeld(line), this.#rejectOnAbort(line, options.signal)]);
      return JSON.parse(JSON.stringify(response));
    },
    write: async (method, path, body, _drops, key) => {
      const line = `${method.toUpperCase()} ${path}`;
      this.#arrive(line);
      if (typeof this.reachability === 'object') throw new ApiError(this.reachability.detail, this.reachability.status);
      const response = this.#applyChange(method, path, structuredClone(body), key);
      await this.#waitIfHeld(line);
      if (this.reachability === 'mute') throw new ApiError('No response received', null);
      return response;
    },
    clearCache: () => {},
  };

  #arrive(line: string): void {
    if (this.reachability === 'down') {
      this.missed.push(line);
      throw new ApiError('No response received', null);
    }
    this.log.push(line);
  }
  async #waitIfHeld(line: string): Promise<void> {
    const pending = this.#pending;
    if (pending !== null && line.startsWith(this.#holding)) await new Promise<void>((resolve) => pending.push(resolve));
  }
  #rejectOnAbort(line: string, signal: AbortSignal | undefined): Promise<never> {
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => {
        this.aborted.push(line);
        reject(new ApiError('canceled', null, { code: 'ERR_CANCELED' }));
      }),
    );
  }
  #visible(): Channel[] {
    return this.channels.filter((channel) => !channel.private || this.account !== null);
  }
  #find(name: string): Channel {
    const channel = this.#visible().find((one) => one.id === name || one.username === name);
    if (channel === undefined) throw new ApiError(`Channel ${name} is not there.`, 404);
    return channel;
  }

  #respond(path: string, params: URLSearchParams): unknown {
    const { account } = this;
    const [, , resource, first = '', second = ''] = path.split('/').map(decodeURIComponent);
    if (resource === 'channels' && second === 'posts') return this.#page([this.#find(first)], params);
    if (resource === 'channels') return first === '' ? this.#channels(params) : this.#find(first);
    if (resource === 'posts') {
      const post = this.posts.find((one) => one.channelId === first && one.id === Number(second));
      if (post === undefined) throw new ApiError('The post is not there.', 404);
      return { post, channel: this.#find(first) };
    }
    if (resource === 'feed') {
      const requestedIds = params.get('channels')?.split(',');
      const entries = account?.lineup.entries ?? [];
      const followedIds =
        entries.length > 0 ? entries.filter((entry) => entry.followed !== false).map((entry) => entry.channelId) : null;
      const ids = requestedIds ?? followedIds;
      return this.#page(ids === null ? this.#visible() : this.#visible().filter((channel) => ids.includes(channel.id)), params);
    }
    if (resource === 'search') return { ...this.#search(params), ...(this.hits && { hits: this.hits }) };
    if (resource === 'lineup') return { ...(account?.lineup ?? { entries: [] }), version: account?.version ?? 0 };
    if (resource === 'marks')
      return {
        items: [...(account?.marks ?? [])].map(([channelId, messageId]) => ({ channelId, messageId })),
        next: null,
        keptUnread: [...(account?.keptUnread ?? [])],
      };
    if (resource === 'stars') return this.#stars();
    if (resource === 'unread')
      return {
        items: (params.get('marks') ?? '')
          .split(',')
          .filter(Boolean)
          .map((mark) => this.#unread(mark)),
        next: null,
      };
    if (resource === 'me') return { user: account && userOf(account) };
    throw new ApiError(`Nothing at ${path}`, 404);
  }
  #search(params: URLSearchParams): object {
    const requestedIds = params.get('channels')?.split(',');
    const channels = this.#visible().filter(
      ({ id, username = id }) => requestedIds === undefined || requestedIds.includes(id) || requestedIds.includes(username),
    );
    const kinds = params.get('media')?.split(',');
    const q = (params.get('q') ?? '').split(' ');
    const items = this.posts
      .filter(({ channelId }) => channels.some(({ id }) => id === channelId))
      .filter(({ text }) => q.every((searchTerm) => text.includes(searchTerm)))
      .filter(({ media }) => kinds === undefined || media.some(({ type }) => kinds.includes(type)))
      .filter(({ date }) => date >= Number(params.get('from') ?? 0) && date <= Number(params.get('to') ?? 1e11))
      .sort(newestFirst);
    return { items, next: null, previous: null, channels };
  }
  #stars(): unknown {
    const items = [...(this.account?.stars.values() ?? [])].sort((a, b) => b.at - a.at);
    const posts = items.flatMap(
      (star) => this.posts.find((post) => post.channelId === star.channelId && post.id === star.postId) ?? [],
    );
    return { items, next: null, posts, channels: this.channels };
  }
  #unread(mark: string): unknown {
    const [channelId, id, ...keptUnreadIds] = mark.split('.');
    const isUnread = (post: Post) => post.id > Number(id) || keptUnreadIds.includes(String(post.id));
    const newer = this.posts.filter((post) => post.channelId === channelId && isUnread(post));
    return { channelId, count: Math.min(newer.length, 100) };
  }
  #channels(params: URLSearchParams): unknown {
    const ids = params.get('ids')?.split(',');
    if (ids !== undefined) return { items: this.#visible().filter(({ id }) => ids.includes(id)), next: null };
    const q = params.get('q')?.toLowerCase() ?? '';
    const from = Number(params.get('after') ?? 0);
    const found = this.#visible().filter(({ title, elsewhere }) => !elsewhere && title.toLowerCase().includes(q));
    const to = from + this.pageChannels;
    return { items: found.slice(from, to), next: to < found.length ? String(to) : null };
  }

  #page(channels: readonly Channel[], params: URLSearchParams): unknown {
    const limit = Number(params.get('limit') ?? 20);
    const ids = new Set(channels.map((channel) => channel.id));
    const matching = this.posts.filter(
      (post) => ids.has(post.channelId) && (params.get('q') === null || post.text.includes(params.get('q') ?? '')),
    );
    const all = (params.get('media') === null ? matching : matching.filter((post) => post.media.length > 0)).sort(newestFirst);
    const indexOfCursor = (cursor: string) => all.findIndex((post) => cursorOf(post) === cursor);
    const { before, after, around, date } = Object.fromEntries(params);
    let start = 0;
    if (before !== undefined) start = indexOfCursor(before) + 1;
    if (after !== undefined) start = Math.max(0, indexOfCursor(after) - limit);
    if (around !== undefined) start = Math.max(0, all.findIndex((post) => post.id === Number(around)) - Math.floor(limit / 2));
    if (date !== undefined) {
      const at = all.findIndex((post) => post.date <= Number(date));
      start = Math.max(0, at < 0 ? all.length - limit : at - Math.floor((limit - 1) / 2));
    }
    const end = after === undefined ? start + limit : indexOfCursor(after);
    const items = all.slice(start, end);
    const [newest, oldest] = [items[0], items.at(-1)];
    return {
      items,
      next: oldest !== undefined && end < all.length ? cursorOf(oldest) : null,
      previous: newest !== undefined && start > 0 ? cursorOf(newest) : null,
      channels,
    };
  }

  #applyChange(method: string, path: string, body: unknown, key: string | undefined): unknown {
    const { account } = this;
    if (account === null) throw new ApiError('Sign in first.', 401);
    const [, , resource, first = '', second = ''] = path.split('/').map(decodeURIComponent);
    if (key !== undefined && account.appliedKeys.has(key)) return this.#present(account, resource, first);
    if (key !== undefined) account.appliedKeys.add(key);
    if (resource === 'lineup') {
      const { version, ...sent } = body as LineupChange;
      const isConflict = version !== undefined && version !== account.version;
      account.lineup = isConflict ? mergeLineups(account.lineup, sent) : sent;
      account.version++;
    }
    if (resource === 'channels') {
      const { messageId, exact } = body as { messageId: number; exact: boolean };
      account.marks.set(first, exact ? messageId : Math.max(messageId, account.marks.get(first) ?? 0));
    }
    if (resource === 'stars' && method === 'put')
      account.stars.set(`${first}/${second}`, { channelId: first, postId: Number(second), at: Date.now() });
    if (resource === 'stars' && method === 'delete') account.stars.delete(`${first}/${second}`);
    if (resource === 'kept-unread') account.keptUnread[method === 'put' ? 'add' : 'delete'](`${first}/${second}`);
    if (resource === 'me') this.#merge(account, body as DeviceState);
    return this.#present(account, resource, first);
  }
  /** Returns the response to a change, whether it was applied now or before. */
  #present(account: FakeAccount, resource: string | undefined, channelId: string): unknown {
    if (resource === 'lineup') return { ...account.lineup, version: account.version };
    const mark: ReadMarker = { channelId, messageId: account.marks.get(channelId) ?? 0 };
    return resource === 'channels' ? mark : null;
  }
  #merge(account: FakeAccount, { entries, marks, stars, keptUnread = [] }: DeviceState): void {
    const known = new Set(account.lineup.entries.map((entry) => entry.channelId));
    const added = entries.filter((entry) => !known.has(entry.channelId));
    account.lineup = { ...account.lineup, entries: [...account.lineup.entries, ...added] };
    for (const mark of marks) account.marks.set(mark.channelId, Math.max(mark.messageId, account.marks.get(mark.channelId) ?? 0));
    for (const key of keptUnread) account.keptUnread.add(key);
    for (const star of stars) account.stars.set(`${star.channelId}/${star.postId}`, star);
  }
}

const cursorOf = (post: Post): string => `${post.date}:${post.channelId}:${post.id}`;
const newestFirst = (a: Post, b: Post): number => b.date - a.date || b.channelId.localeCompare(a.channelId) || b.id - a.id;
