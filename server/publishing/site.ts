import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Channel } from '../../contract/channel.ts';
import { isPublished } from '../../contract/published.ts';
import { channelPath, postPath } from '../../src/lib/links.ts';
import type { Config } from '../config.ts';
import type { Audience } from '../domain/model.ts';
import { notFound, Refusal } from '../http/errors.ts';
import type { Store } from '../storage/ports/store.ts';

/** Whoever comes without an account: what is published is for nobody else. */
export const EVERYBODY: Audience = { privateChannels: [] };

/** A name or an address, and a port; with the underscores that names within a machine's own network may have. */
const HOST = /^([a-z\d_-]+(\.[a-z\d_-]+)*\.?|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** The origin under which readers reach the site: PUBLIC_URL's, else that of the request, which must be one. */
export function originOf(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  if (publicUrl !== null) return publicUrl;
  // HTTP/1.0 names no host, and is spoken by what looks whether a server lives.
  const host = (request.host || 'localhost').toLowerCase();
  const origin = `${request.protocol}://${host}`;
  // The expression keeps out what an address could hold beside a host; numbers that are no address it lets through.
  if (!HOST.test(host) || !URL.canParse(origin))
    throw new Refusal(400, 'The request names no host under which this site could be reached.');
  return origin;
}

/** Every channel that is told to the world, in the order of the line-up. */
export const publishedChannels = async (store: Store): Promise<Channel[]> =>
  (await store.channels(EVERYBODY)).filter(isPublished);

/** A published channel by its id or a username, also a former one; 404 for all others, whatever they are. */
export async function publishedChannel(name: string, store: Store): Promise<Channel> {
  const channel = await store.channel(name.replace(/^@/, ''), EVERYBODY);
  if (channel === null || !isPublished(channel)) throw notFound(`The channel ${name}`);
  return channel;
}

export const channelAddress = (origin: string, channel: Pick<Channel, 'id' | 'username'>): string =>
  origin + channelPath(channel);

export const postAddress = (origin: string, channel: Pick<Channel, 'id' | 'username'>, id: number): string =>
  origin + postPath(channel, id);

/** The space in which our ids are made (RFC 9562, version 5); it never changes, or every reader would see every post anew. */
const SPACE = Buffer.from('5e0cf1a09cbb4f6c8a3bd2a54c3c1f27', 'hex');

/** Makes an id of what never changes: of a channel's id, of a post's. A rename and a new address leave it as it was. */
export function lastingId(...parts: readonly (string | number)[]): string {
  const bytes = createHash('sha1').update(SPACE).update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `urn:uuid:${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}
