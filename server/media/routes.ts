/**
 * Media routes: serve stored files. The files come from anyone who could post in a channel, so they are untrusted. Only image,
 * audio and video types are shown inline; all others are downloads. Nothing that is served here can run a script or be mistaken
 * for a page of ours.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Problem } from '../../contract/api.ts';
import type { Config } from '../config.ts';
import type { MediaFile } from '../domain/model.ts';
import { holds, noBody } from '../http/caching.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import type { Store } from '../storage/ports/store.ts';
import { isShownInline, mediaPath, readSizeName, sizeName, type Width } from './files.ts';
import { parseRange } from './http-range.ts';
import { type Grants, hiddenKey } from './signed-urls.ts';
import { createSizes, type Sizes, widthsOf } from './thumbnails.ts';

/** Services that this module uses. */
export type ServeMediaDeps = {
  readonly config: Config;
  readonly store: Pick<Store, 'mediaFile'>;
  readonly grants: Grants;
  readonly now: () => number;
};

/** Request for a file under /media. */
export interface MediaRequest {
  readonly key: string;
  readonly grant: string | undefined;
  /** File name of the download. */
  readonly name: string | undefined;
}

type Served = MediaFile & { readonly private: boolean };

interface Place {
  readonly file: Served;
  readonly place: string;
}

/** Serves one stored file. A private file needs a grant; without it the response is 404. */
export async function serveMedia(asked: MediaRequest, request: FastifyRequest, reply: FastifyReply, deps: ServeMediaDeps) {
  return sendFile(await findFile(asked, deps), asked, request, reply);
}

/** Serves a picture in a smaller size, to clients that may read the picture itself. */
export async function serveSize(
  asked: MediaRequest & { readonly width: Width },
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ServeMediaDeps,
  sizes: Sizes,
) {
  const found = await findFile(asked, deps);
  return sendFile(await sizeOf(found, asked.width, sizes), asked, request, reply);
}

/** Returns the smaller size. If none can be created now, returns the original, and no cache stores it under this URL. */
async function sizeOf({ file, place }: Place, width: Width, sizes: Sizes): Promise<Place> {
  if (!widthsOf(file).includes(width)) throw notFound('This file');
  const made = await sizes.make(file, width).catch(() => null);
  if (made === null) return { file: { ...file, private: true }, place };
  return { file: { ...file, key: sizeName(file.key, width), mime: 'image/webp' }, place: made };
}

async function sendFile({ file, place }: Place, asked: MediaRequest, request: FastifyRequest, reply: FastifyReply) {
  const found = await stat(place).catch(() => null);
  if (!found?.isFile()) throw notFound('This file');
  const etag = `"${file.key}"`;
  describe(file, asked, etag, reply);
  if (holds(request, etag)) return reply.code(304).send(noBody(request));
  return sendBytes(place, found.size, etag, request, reply);
}

/** A browser's own cache stores a file permanently. A shared cache checks after a minute whether its post was hidden. */
const SHARED = 'public, max-age=31536000, s-maxage=60, immutable';

async function findFile(asked: MediaRequest, deps: ServeMediaDeps): Promise<Place> {
  const file = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(asked.key) ? await deps.store.mediaFile(asked.key) : null;
  // A grant that a reader received for a post becomes invalid when the post is hidden.
  const granted = file?.used === false ? hiddenKey(asked.key) : asked.key;
  const open = file !== null && (!file.private || deps.grants.valid(granted, asked.grant ?? '', deps.now()));
  if (file === null || !open) throw notFound('This file');
  return { file, place: mediaPath(deps.config.dataDir, file.key) };
}

function describe(file: Served, asked: MediaRequest, etag: string, reply: FastifyReply): void {
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': file.private ? 'no-store' : SHARED,
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (isShownInline(file.mime)) reply.type(file.mime);
  else reply.type('application/octet-stream').header('content-disposition', attachment(asked.name ?? file.key));
}

/**
 * Builds a Content-Disposition header by RFC 6266: ASCII for old clients, UTF-8 for the others; no path, no control characters.
 */
export function attachment(name: string): string {
  const plain = [...name.replace(/[\p{C}/\\]/gu, '_')].slice(0, 120).join('');
  const ascii = plain.replace(/[^\x20-\x7e]|["%;]/g, '_');
  const encoded = encodeURIComponent(plain).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function sendBytes(place: string, size: number, etag: string, request: FastifyRequest, reply: FastifyReply) {
  const range = parseRange(request.headers.range, request.headers['if-range'], etag, size);
  if (range.type === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  if (range.type === 'part') reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  const [start, end] = range.type === 'part' ? [range.start, range.end] : [0, size - 1];
  reply.header('content-length', end - start + 1);
  if (request.method === 'HEAD' || size === 0) return reply.send(noBody(request));
  return reply.send(createReadStream(place, { start, end }));
}

/** Services that this module uses. */
export type MediaRouteDeps = ServeMediaDeps & {
  readonly config: Config;
  readonly store: Store;
};

const MediaParams = Type.Object({ key: Type.String() });
const MediaQuerystring = Type.Object({ grant: Type.Optional(Type.String()), name: Type.Optional(Type.String()) });

/** Routes of stored files by the hash of their content. Smaller sizes of pictures are `<hash>.w640.webp`. */
export function mediaRoutes(app: App, deps: MediaRouteDeps): void {
  const sizes = createSizes({ dataDir: deps.config.dataDir, store: deps.store });
  app.get(
    '/media/:key',
    {
      schema: {
        summary: 'A kept file, or a smaller size of a picture',
        tags: ['media'],
        params: MediaParams,
        querystring: MediaQuerystring,
        response: { '4xx': Problem, '5xx': Problem },
      },
    },
    async (request, reply) => {
      const { grant, name } = request.query;
      const size = readSizeName(request.params.key);
      if (size === null) return serveMedia({ key: request.params.key, grant, name }, request, reply, deps);
      const key = (await deps.store.fileOfHash(size.hash)) ?? request.params.key;
      return serveSize({ key, grant, name, width: size.width }, request, reply, deps, sizes);
    },
  );
}
