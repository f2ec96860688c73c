// Site addresses: the origin of the site, addresses of channels and posts, and permanent ids.

import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Channel } from '../../contract/channel.ts';
import { isPublished } from '../../contract/published.ts';
import { channelPath, postPath } from '../../src/lib/links.ts';
import type { Config } from '../config.ts';
import type { AccessScope } from '../domain/model.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { DirectoryPage, Store } from '../storage/ports/store.ts';

/** Access scope of an anonymous reader. Published content is exactly what this scope can read. */
export const PUBLIC_ACCESS: AccessScope = { privateChannels: [] };

/** A host name or an IP address, with an optional port. Names may contain underscores, as in internal networks. */
const HOST_PATTERN = /^([a-z\d_-]+(\.[a-z\d_-]+)*\.?|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Returns the origin under which readers reach the site: PUBLIC_URL, or else that of the request. Throws an
 * `HttpError`, 400, if its host is invalid.
 */
export function originOf(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  if (publicUrl !== null) return publicUrl;
  // HTTP/1.0 sends no host, and health checks use it.
  const host = (request.host || 'localhost').toLowerCase();
  // A trusted proxy may forward what its client sent.
  const scheme = request.protocol === 'https' ? 'https' : 'http';
  const origin = `${scheme}://${host}`;
  // The pattern accepts only a host. It also accepts invalid numeric addresses, which `URL.canParse` rejects.
  if (!HOST_PATTERN.test(host) || !URL.canParse(origin)) throw new HttpError(400, 'The request has no valid host name.');
  return origin;
}

/** Channels per query, between which other requests can run. */
const CHANNELS_PER_QUERY = 200;

/** Returns all published channels, in the order of the directory. */
export async function readPublishedChannels(store: Store): Promise<Channel[]> {
  const published: Channel[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: DirectoryPage = await store.channelPage({ after, limit: CHANNELS_PER_QUERY }, PUBLIC_ACCESS);
    published.push(...page.channels.filter(isPublished));
    after = page.next;
    await yieldToEventLoop();
  }
  return published;
}

/** Returns a published channel by its id or a username, also a previous one. Throws a 404 for all others. */
export async function readPublishedChannel(name: string, store: Store): Promise<Channel> {
  const channel = await store.channel(name.replace(/^@/, ''), PUBLIC_ACCESS);
  if (channel === null || !isPublished(channel)) throw notFound(`The channel ${name}`);
  return channel;
}

/** Returns the absolute URL of a channel's page. */
export const channelAddress = (origin: string, channel: Pick<Channel, 'id' | 'username'>): string =>
  origin + channelPath(channel);

/** Returns the absolute URL of a post. */
export const postAddress = (origin: string, channel: Pick<Channel, 'id' | 'username'>, id: number): string =>
  origin + postPath(channel, id);

/**
 * The namespace of the UUIDs (RFC 9562, version 5). It never changes: otherwise feed readers would show all posts as
 * new.
 */
const UUID_NAMESPACE = Buffer.from('5e0cf1a09cbb4f6c8a3bd2a54c3c1f27', 'hex');

/** Returns a permanent UUID for values that never change, such as the id of a channel or post. It survives renames. */
export function permanentId(...parts: readonly (string | number)[]): string {
  const bytes = createHash('sha1').update(UUID_NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16);
  // The version (5) and the variant.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `urn:uuid:${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}
