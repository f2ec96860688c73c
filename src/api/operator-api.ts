// Operator (admin) API: channels, hidden posts, gaps, audit log, brand and site keys.

import type { Channel } from '../../contract/channel.ts';
import type {
  AuditPage,
  BrandChange,
  BrandResponse,
  ConnectResponse,
  CreatedSiteKey,
  GapPage,
  HiddenPage,
  OperatorOverview,
  Rights,
  SiteKeyPage,
} from '../../contract/operator.ts';
import { channel as parseChannel } from '../../contract/parse.ts';
import * as parse from '../../contract/parse-operator.ts';
import type { Parse } from '../../contract/shape.ts';
import type { HttpClient } from './types.ts';

/** An action on a channel that needs no further input. */
export type ChannelAction = 'reconnect' | 'recheck' | 'accept' | 'decline';

/**
 * Calls of the operator API. Except `rights`, reads always go to the server. A write invalidates every cached response.
 */
export interface OperatorApi {
  overview(): Promise<OperatorOverview>;
  /** Returns the channels whose posts the reader may hide. The response is cached for minutes. */
  rights(): Promise<Rights>;
  removeDemo(): Promise<void>;
  connect(): Promise<ConnectResponse>;
  runChannelAction(channelId: string, action: ChannelAction): Promise<void>;
  /** Disconnects a channel. With `keep`, its stored posts stay visible to readers. */
  disconnect(channelId: string, keep: boolean): Promise<void>;
  addFeed(url: string): Promise<Channel>;
  hiddenPosts(): Promise<HiddenPage>;
  hide(channelId: string, postId: number): Promise<void>;
  restore(channelId: string, postId: number): Promise<void>;
  gaps(channelId: string): Promise<GapPage>;
  /** Returns a page of the audit log. `before` is the cursor of the page; null for the newest page. */
  auditLog(before: string | null): Promise<AuditPage>;
  brand(): Promise<BrandResponse>;
  setBrand(change: BrandChange): Promise<BrandResponse>;
  resetBrand(): Promise<BrandResponse>;
  siteKeys(channelId: string): Promise<SiteKeyPage>;
  createSiteKey(origin: string, channelId: string): Promise<CreatedSiteKey>;
  revokeSiteKey(id: string): Promise<void>;
}

const ROOT = '/api/operator';
const CHANNELS = `${ROOT}/channels`;
const RIGHTS = `${ROOT}/rights`;
const BRAND = `${ROOT}/brand`;
const SITE_KEYS = `${ROOT}/site-keys`;
const ALL_CACHED_PATHS = ['/api/'];

export function createOperatorApi(client: HttpClient): OperatorApi {
  async function get<Value>(parser: Parse<Value>, path: string, params: Record<string, string | undefined> = {}): Promise<Value> {
    return parser(await client.get(path, { params, fresh: true }), path);
  }
  const write = (method: 'post' | 'put' | 'delete', path: string, body?: unknown): Promise<unknown> =>
    client.write(method, path, body, ALL_CACHED_PATHS);
  const hiddenPath = (channelId: string, postId: number) => `${ROOT}/hidden/${encodeURIComponent(channelId)}/${postId}`;
  const channelPath = (channelId: string, action: string) => `${CHANNELS}/${encodeURIComponent(channelId)}/${action}`;

  return {
    overview: () => get(parse.overview, CHANNELS),
    rights: async () => parse.rights(await client.get(RIGHTS), RIGHTS),
    removeDemo: async () => void (await write('delete', '/api/demo')),
    connect: async () => parse.connectResponse(await write('post', `${ROOT}/connect`, {}), `${ROOT}/connect`),
    runChannelAction: async (channelId, action) => void (await write('post', channelPath(channelId, action), {})),
    disconnect: async (channelId, keep) => void (await write('post', channelPath(channelId, 'disconnect'), { keep })),
    addFeed: async (url) => parseChannel(await write('post', `${ROOT}/feeds`, { url }), `${ROOT}/feeds`),
    hiddenPosts: () => get(parse.hiddenPage, `${ROOT}/hidden`, { limit: '100' }),
    hide: async (channelId, postId) => void (await write('put', hiddenPath(channelId, postId))),
    restore: async (channelId, postId) => void (await write('delete', hiddenPath(channelId, postId))),
    gaps: (channelId) => get(parse.gapPage, `${ROOT}/gaps`, { channel: channelId, limit: '100' }),
    auditLog: (before) => get(parse.auditPage, `${ROOT}/audit`, { before: before ?? undefined, limit: '50' }),
    brand: () => get(parse.brandResponse, BRAND),
    setBrand: async (change) => parse.brandResponse(await write('put', BRAND, change), BRAND),
    resetBrand: async () => parse.brandResponse(await write('delete', BRAND), BRAND),
    siteKeys: (channelId) => get(parse.siteKeyPage, SITE_KEYS, { channel: channelId }),
    createSiteKey: async (origin, channelId) =>
      parse.madeSiteKey(await write('post', SITE_KEYS, { origin, channels: [channelId] }), SITE_KEYS),
    revokeSiteKey: async (id) => void (await write('delete', `${SITE_KEYS}/${encodeURIComponent(id)}`)),
  };
}
