/** Site keys: routes to create, list and revoke the keys with which third-party sites show private channels. */
import { Type } from 'typebox';
import type { Channel } from '../../contract/channel.ts';
import { CreatedSiteKey, NewSiteKey, type SiteKey, SiteKeyPage } from '../../contract/operator.ts';
import { requireReader } from '../auth/identity.ts';
import { createSiteKeyId, type SiteKeySecrets } from '../auth/site-grants.ts';
import type { Config } from '../config.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { noContent, responses } from '../http/schemas.ts';
import { type AuditDeps, createAuditEntry } from '../observability/audit-log.ts';
import type { Store } from '../storage/ports/store.ts';
import {
  type OperatorAccessDeps,
  operatorForbidden,
  requireOperatedChannel,
  requireOperatedChannels,
  requireOperatorAccess,
} from './access.ts';

/** Services that this module uses. */
export type SiteKeyRouteDeps = OperatorAccessDeps &
  AuditDeps & {
    readonly config: Config;
    readonly store: Pick<Store, 'siteKeys' | 'withAuditEntries'>;
    readonly siteKeySecrets: SiteKeySecrets;
    readonly now: () => number;
  };

const KeysQuerystring = Type.Object({ channel: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) });
const KeyParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });

/** Maximum number of keys for one channel, and so of sites that may show it. */
const MAX_KEYS_PER_CHANNEL = 20;

/**
 * Routes of the keys with which third-party sites show private channels. Anyone who may manage one of a key's channels
 * may revoke it.
 */
export function siteKeyRoutes(app: App, deps: SiteKeyRouteDeps): void {
  const tags = ['operator'];
  const { store } = deps;

  app.get(
    '/api/operator/site-keys',
    {
      schema: {
        summary: 'Keys with which other sites show private channels, newest first',
        tags,
        querystring: KeysQuerystring,
        response: responses(SiteKeyPage),
      },
    },
    async (request, reply) => {
      const channels = await requireOperatedChannels(request.query.channel, request, reply, deps);
      return { items: await listSiteKeys(channels, deps), next: null };
    },
  );

  app.post(
    '/api/operator/site-keys',
    {
      schema: {
        summary: 'Create a key with which a site shows private channels',
        tags,
        body: NewSiteKey,
        response: responses(CreatedSiteKey),
      },
    },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const channelNames = new Set(request.body.channels);
      const operated = await Promise.all([...channelNames].map((name) => requireOperatedChannel(name, request, reply, deps)));
      const channels = new Map(operated.map(({ channel }) => [channel.id, channel]));
      const origin = parseSiteOrigin(request.body.origin, deps);
      const keys = await store.siteKeys();
      for (const channel of channels.values()) assertMayAddKey(channel, keys);
      const key = { id: createSiteKeyId(), origin, channels: [...channels.keys()].sort(), at: Math.floor(deps.now() / 1000) };
      const auditEntries = [...channels.values()].map((channel) =>
        createAuditEntry(deps, reader, 'site-key', { channel, detail: origin }),
      );
      await store.withAuditEntries(auditEntries).putSiteKey(key);
      return { ...key, secret: deps.siteKeySecrets.secretOf(key.id) };
    },
  );

  app.delete(
    '/api/operator/site-keys/:id',
    {
      schema: {
        summary: 'Revoke the key of a site: its grants become invalid immediately',
        tags,
        params: KeyParams,
        response: noContent,
      },
    },
    async (request, reply) => {
      const { reader, channels } = await requireOperatorAccess(request, reply, deps);
      const key = (await listSiteKeys(channels, deps)).find(({ id }) => id === request.params.id);
      if (key === undefined) throw reader.operator ? notFound('This key') : operatorForbidden();
      const auditEntries = channels
        .filter(({ id }) => key.channels.includes(id))
        .map((channel) => createAuditEntry(deps, reader, 'site-key-revoke', { channel, detail: key.origin }));
      if (!(await store.withAuditEntries(auditEntries).deleteSiteKey(key.id))) throw notFound('This key');
      return reply.code(204).send(null);
    },
  );
}

/** Returns the keys of the channels that the caller may manage. Their other channels are omitted. */
async function listSiteKeys(channels: readonly Channel[], { store }: SiteKeyRouteDeps): Promise<SiteKey[]> {
  const operatedIds = new Set(channels.map(({ id }) => id));
  const keys = await store.siteKeys();
  return keys
    .map((key) => ({ ...key, channels: key.channels.filter((id) => operatedIds.has(id)) }))
    .filter((key) => key.channels.length > 0);
}

function assertMayAddKey(channel: Channel, keys: readonly { readonly channels: readonly string[] }[]): void {
  if (!channel.private) throw new HttpError(422, `${channel.title} is public: any site may show it without a key.`);
  if (keys.filter(({ channels }) => channels.includes(channel.id)).length >= MAX_KEYS_PER_CHANNEL)
    throw new HttpError(409, `${channel.title} has ${MAX_KEYS_PER_CHANNEL} keys: revoke one first.`);
}

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Parses an origin in the notation of browsers. Plain http is only accepted for this machine: on a network, anyone on
 * the path could steal a grant.
 */
function parseSiteOrigin(raw: string, { config: { embedOrigins } }: SiteKeyRouteDeps): string {
  const url = URL.canParse(raw.trim()) ? new URL(raw.trim()) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname));
  if (url === null || !isSafe || url.href !== `${url.origin}/`)
    throw new HttpError(422, 'The site must be https:// and a host, without a path, such as https://club.example.');
  if (embedOrigins !== null && !embedOrigins.includes(url.origin))
    throw new HttpError(422, `${url.origin} is not allowed to embed channels: add it to EMBED_ORIGINS first.`);
  return url.origin;
}
