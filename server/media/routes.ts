/**
 * Media routes: serve stored files. The files come from anyone who could post in a channel, so they are untrusted. Only
 * image, audio and video types are shown inline; all others are downloads. Nothing that is served here can run a script
 * or be mistaken for a page of ours.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Problem } from '../../contract/api.ts';
import type { MediaFile } from '../domain/model.ts';
import { emptyBody, matchesEtag } from '../http/caching.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import type { Store } from '../storage/ports/store.ts';
import { isShownInline, parseThumbnailName, type ThumbnailWidth, thumbnailName } from './files.ts';
import { parseRange } from './http-range.ts';
import type { MediaEntry, MediaStore } from './media-store.ts';
import { hiddenFileKey, type UrlSigner } from './signed-urls.ts';
import { createThumbnails, type Thumbnails, thumbnailWidthsOf } from './thumbnails.ts';

/** Services that this module uses. */
export type ServeMediaDeps = {
  readonly mediaStore: MediaStore;
  readonly store: Pick<Store, 'mediaFile'>;
  readonly urlSigner: UrlSigner;
  readonly now: () => number;
};

/** Request for a file under /media. */
export interface MediaRequest {
  readonly key: string;
  readonly grant: string | undefined;
  /** File name of the download. */
  readonly name: string | undefined;
}

/** File to send. `key` is its name in the media store. `entry` is its entry there, if it was looked up already. */
type ServedFile = MediaFile & { readonly private: boolean; readonly entry?: MediaEntry };

/** Serves one stored file. A private file needs a grant; without it the response is 404. */
async function serveMedia(mediaRequest: MediaRequest, request: FastifyRequest, reply: FastifyReply, deps: ServeMediaDeps) {
  return sendMediaFile(await findMediaFile(mediaRequest, deps), mediaRequest, request, reply, deps.mediaStore);
}

/** Serves a picture in a smaller size, to clients that may read the picture itself. */
async function serveThumbnail(
  mediaRequest: MediaRequest & { readonly width: ThumbnailWidth },
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ServeMediaDeps,
  thumbnails: Thumbnails,
) {
  const original = await findMediaFile(mediaRequest, deps);
  const file = await findThumbnail(original, mediaRequest.width, thumbnails);
  return sendMediaFile(file, mediaRequest, request, reply, deps.mediaStore);
}

/**
 * Returns the smaller size. If none can be created now, returns the original, and no cache stores it under this URL.
 */
async function findThumbnail(file: ServedFile, width: ThumbnailWidth, thumbnails: Thumbnails): Promise<ServedFile> {
  if (!thumbnailWidthsOf(file).includes(width)) throw notFound('This file');
  const thumbnail = await thumbnails.getOrRender(file, width).catch(() => null);
  // `private` sets `no-store`.
  if (thumbnail === null) return { ...file, private: true };
  return { ...file, key: thumbnailName(file.key, width), mime: 'image/webp', entry: thumbnail };
}

async function sendMediaFile(
  file: ServedFile,
  mediaRequest: MediaRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  mediaStore: MediaStore,
) {
  const etag = `"${file.key}"`;
  if (matchesEtag(request, etag)) {
    setFileHeaders(file, mediaRequest, etag, reply);
    return reply.code(304).send(emptyBody(request));
  }
  const address = await publicAddressOf(file, mediaStore);
  if (address !== null)
    return reply
      .headers({ 'cache-control': REDIRECT_CACHE_CONTROL, 'cross-origin-resource-policy': 'cross-origin' })
      .redirect(address, 302);
  return sendBytes(file, mediaRequest, etag, request, reply, mediaStore);
}

/** A client asks again after a minute whether its post was hidden. */
const REDIRECT_CACHE_CONTROL = 'public, max-age=60';

/**
 * Returns the public address of a file that everyone may see; null if there is none. A file that is only a download is
 * sent from here, because its name and its headers depend on the request.
 */
const publicAddressOf = async (file: ServedFile, mediaStore: MediaStore): Promise<string | null> =>
  file.private || !isShownInline(file.mime) ? null : mediaStore.publish(file.key).catch(() => null);

/**
 * A browser's own cache stores a file permanently. A shared cache checks after a minute whether its post was hidden.
 */
const SHARED_CACHE_CONTROL = 'public, max-age=31536000, s-maxage=60, immutable';

async function findMediaFile(mediaRequest: MediaRequest, deps: ServeMediaDeps): Promise<ServedFile> {
  const file = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(mediaRequest.key) ? await deps.store.mediaFile(mediaRequest.key) : null;
  // A grant that a reader received for a post becomes invalid when the post is hidden.
  const signedText = file?.used === false ? hiddenFileKey(mediaRequest.key) : mediaRequest.key;
  const isAllowed = file !== null && (!file.private || deps.urlSigner.verify(signedText, mediaRequest.grant ?? '', deps.now()));
  if (file === null || !isAllowed) throw notFound('This file');
  return file;
}

function setFileHeaders(file: ServedFile, mediaRequest: MediaRequest, etag: string, reply: FastifyReply): void {
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': file.private ? 'no-store' : SHARED_CACHE_CONTROL,
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (isShownInline(file.mime)) reply.type(file.mime);
  else reply.type('application/octet-stream').header('content-disposition', contentDisposition(mediaRequest.name ?? file.key));
}

/** Maximum length of a download's file name, characters. */
const MAX_NAME_LENGTH = 120;

/**
 * Builds a Content-Disposition header by RFC 6266: ASCII for old clients, UTF-8 for the others; no path, no control
 * characters.
 */
export function contentDisposition(name: string): string {
  const safeName = [...name.replace(/[\p{C}/\\]/gu, '_')].slice(0, MAX_NAME_LENGTH).join('');
  const ascii = safeName.replace(/[^\x20-\x7e]|["%;]/g, '_');
  const encoded = encodeURIComponent(safeName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

async function sendBytes(
  file: ServedFile,
  mediaRequest: MediaRequest,
  etag: string,
  request: FastifyRequest,
  reply: FastifyReply,
  mediaStore: MediaStore,
) {
  const stored = file.entry ?? (await mediaStore.find(file.key));
  if (stored === null) throw notFound('This file');
  const { size } = stored;
  const range = parseRange(request.headers.range, request.headers['if-range'], etag, size);
  const [start, end] = range.type === 'part' ? [range.start, range.end] : [0, size - 1];
  const hasBody = range.type !== 'unsatisfiable' && request.method !== 'HEAD' && size > 0;
  // Opened before the headers of the file are set: an error must not be cached like the file.
  const body = hasBody ? await mediaStore.read(file.key, range.type === 'part' ? { start, end } : undefined) : null;
  if (hasBody && body === null) throw notFound('This file');
  setFileHeaders(file, mediaRequest, etag, reply);
  if (range.type === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  if (range.type === 'part') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.header('content-length', end - start + 1);
  return reply.send(body ?? emptyBody(request));
}

/** Services that this module uses. */
export type MediaRouteDeps = ServeMediaDeps & {
  readonly store: Store;
};

const MediaParams = Type.Object({ key: Type.String() });
const MediaQuerystring = Type.Object({ grant: Type.Optional(Type.String()), name: Type.Optional(Type.String()) });

/** Routes of stored files by the hash of their content. Smaller sizes of pictures are `<hash>.w640.webp`. */
export function mediaRoutes(app: App, deps: MediaRouteDeps): void {
  const thumbnails = createThumbnails({ mediaStore: deps.mediaStore, store: deps.store });
  app.get(
    '/media/:key',
    {
      schema: {
        summary: 'A stored file, or a smaller size of a picture',
        tags: ['media'],
        params: MediaParams,
        querystring: MediaQuerystring,
        response: { '4xx': Problem, '5xx': Problem },
      },
    },
    async (request, reply) => {
      const { grant, name } = request.query;
      const thumbnail = parseThumbnailName(request.params.key);
      if (thumbnail === null) return serveMedia({ key: request.params.key, grant, name }, request, reply, deps);
      const key = (await deps.store.findFileByHash(thumbnail.hash)) ?? request.params.key;
      return serveThumbnail({ key, grant, name, width: thumbnail.width }, request, reply, deps, thumbnails);
    },
  );
}
