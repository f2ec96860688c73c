/**
 * Channel membership: read permissions for private channels, which only members have. Membership is requested from
 * Telegram. A result is cached for minutes, in the store, so that all processes of the server share it. When the bot
 * receives an update that a member left, the entry is removed. If Telegram does not respond in time, the user may not
 * read.
 */
import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import type { MemberLevel } from '../../storage/ports/connections.ts';
import { MEMBER_CACHE_SECONDS, type Store } from '../../storage/ports/store.ts';
import { type BotApi, isBotApiRejection } from './client.ts';
import { chatIdOf } from './parse/chat.ts';
import { type ParsedMember, parseMember } from './parse/member.ts';

/**
 * Seconds that the cache stores a result for a non-member, who may be joining just now. A member's result is cached
 * longer.
 */
const NON_MEMBER_CACHE_SECONDS = 60;
/** Milliseconds that a request waits for Telegram, and milliseconds without new requests after a failure. */
const MEMBERSHIP_TIMEOUT_MS = 2000;
const FAILURE_PAUSE_MS = 15_000;
/** Maximum number of concurrent requests: a bot may send about thirty per second, and has other work. */
const MAX_CONCURRENT_REQUESTS = 8;
/** Maximum number of failures, and of channels' lists of administrators, that are remembered. */
const MAX_CACHED_ENTRIES = 10_000;
/** Milliseconds that a channel's list of administrators is cached. */
const ADMINISTRATORS_CACHE_MS = 600_000;
const NO_ADMINISTRATORS: Promise<ReadonlySet<string>> = Promise.resolve(new Set<string>());

export interface Members {
  /** Returns a user's level in a channel: 2 for an administrator, 1 for a member, 0 for neither or unknown. */
  memberLevel(channelId: string, userId: string): Promise<MemberLevel>;
  /** Returns the private channels of which a user is a member. */
  privateChannels(userId: string): Promise<string[]>;
  /** Returns the channels that a user administers, of those that the bot is in. */
  administeredChannels(userId: string): Promise<string[]>;
  /**
   * Same result, at a lower cost, for every reader who signs in: fetches the administrators of each channel, and
   * requests the user's level only in the channels whose list contains the user. A user who became an administrator in
   * the last ten minutes may be missing.
   */
  administeredChannelsCached(userId: string): Promise<string[]>;
}

/** Membership on a site without a bot: no user is a member of any channel. */
export const NO_MEMBERS: Members = {
  memberLevel: async () => 0,
  privateChannels: async () => [],
  administeredChannels: async () => [],
  administeredChannelsCached: async () => [],
};

interface MembershipDeps {
  readonly api: BotApi['api'];
  readonly store: Store;
  /** Milliseconds of the system clock. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Limits the concurrent requests. */
  readonly limit: LimitFunction;
}

const levelOf = (member: ParsedMember | null): MemberLevel => {
  if (member?.isAdministrator) return 2;
  return member?.isMember ? 1 : 0;
};

/** Requests a user's level in a channel from Telegram, and stores it in the cache. */
const requestLevel = async (channelId: string, userId: string, { api, store, now }: MembershipDeps): Promise<MemberLevel> => {
  const response = await api.getChatMember(chatIdOf(channelId), Number(userId)).catch((error: unknown) => {
    // For example "Bad Request: user not found": Telegram knows no user with this id there.
    if (isBotApiRejection(error) && error.error_code === 400) return null;
    throw error;
  });
  const level = levelOf(parseMember(response));
  const expiresAt = Math.floor(now() / 1000) + (level === 0 ? NON_MEMBER_CACHE_SECONDS : MEMBER_CACHE_SECONDS);
  await store.putMemberLevel(channelId, userId, level, expiresAt);
  return level;
};

/** Options of a bounded cache whose entries expire by a monotonic clock. */
const cacheOptions = (elapsed: () => number) => ({ max: MAX_CACHED_ENTRIES, ttlResolution: 0, perf: { now: elapsed } });

/**
 * Creates a function that requests a membership, at most once at a time for the same user and channel. A failure counts
 * as no membership, and is not retried immediately.
 */
const createLevelRequests = (deps: MembershipDeps) => {
  const { elapsed, limit } = deps;
  const pending = new Map<string, Promise<MemberLevel>>();
  const paused = new LRUCache<string, true>({ ...cacheOptions(elapsed), ttl: FAILURE_PAUSE_MS });
  return (channelId: string, userId: string): Promise<MemberLevel> => {
    const key = `${channelId} ${userId}`;
    if (paused.has(key)) return Promise.resolve(0);
    const request = pending.get(key) ?? limit(() => requestLevel(channelId, userId, deps)).finally(() => pending.delete(key));
    pending.set(key, request);
    return request.catch(() => {
      paused.set(key, true);
      return 0;
    });
  };
};

/**
 * Creates the cache of administrators: returns those of a channel, or an empty set if Telegram does not return them.
 */
const createAdministratorCache = ({ api, elapsed, limit }: MembershipDeps) => {
  const cache = new LRUCache<string, Promise<ReadonlySet<string>>>({ ...cacheOptions(elapsed), ttl: ADMINISTRATORS_CACHE_MS });
  const requestAdministrators = async (channelId: string): Promise<ReadonlySet<string>> => {
    const administrators = await api.getChatAdministrators(chatIdOf(channelId));
    return new Set(administrators.map(({ user }) => String(user.id)));
  };
  return (channelId: string): Promise<ReadonlySet<string>> => {
    const cached = cache.get(channelId);
    if (cached !== undefined) return cached;
    const ids = limit(() => requestAdministrators(channelId)).catch(() => {
      cache.set(channelId, NO_ADMINISTRATORS, { ttl: FAILURE_PAUSE_MS });
      return NO_ADMINISTRATORS;
    });
    cache.set(channelId, ids);
    return ids;
  };
};

/** Creates the membership service, which queries Telegram. `now` and `elapsed` are the clocks of the services. */
export const createMembers = ({ api }: BotApi, store: Store, now: () => number, elapsed: () => number): Members => {
  const deps: MembershipDeps = { api, store, now, elapsed, limit: pLimit(MAX_CONCURRENT_REQUESTS) };
  const requestLevelOnce = createLevelRequests(deps);
  const administratorsOf = createAdministratorCache(deps);

  const memberLevel = async (channelId: string, userId: string): Promise<MemberLevel> => {
    const cached = await store.memberLevel(channelId, userId, Math.floor(now() / 1000));
    if (cached !== null) return cached;
    const timeout = new Promise<MemberLevel>((resolve) => setTimeout(resolve, MEMBERSHIP_TIMEOUT_MS, 0).unref());
    return Promise.race([requestLevelOnce(channelId, userId), timeout]);
  };

  /** Returns the channels in which the user has at least this level. */
  const filterByLevel = async (channelIds: readonly string[], userId: string, minLevel: MemberLevel): Promise<string[]> => {
    const levels = await Promise.all(channelIds.map((id) => memberLevel(id, userId)));
    return channelIds.filter((_id, index) => (levels[index] ?? 0) >= minLevel);
  };

  const channelsOfBot = async (): Promise<string[]> =>
    (await store.connections()).filter(({ rights }) => rights !== null).map(({ channelId }) => channelId);

  return {
    memberLevel,
    privateChannels: async (userId) => filterByLevel(await store.followedPrivateChannels(), userId, 1),
    administeredChannels: async (userId) => filterByLevel(await channelsOfBot(), userId, 2),
    administeredChannelsCached: async (userId) => {
      const channelIds = await channelsOfBot();
      const administrators = await Promise.all(channelIds.map(administratorsOf));
      const operated = channelIds.filter((_id, index) => administrators[index]?.has(userId));
      return filterByLevel(operated, userId, 2);
    },
  };
};
