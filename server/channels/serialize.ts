import type { Channel, StoredPicture } from '../../contract/channel.ts';
import type { UrlSigner } from '../media/signed-urls.ts';

/** Services that this module uses: they sign the URLs of files. */
export type SerializeDeps = {
  readonly urlSigner: UrlSigner;
  readonly now: () => number;
};

/** Channel serialization: adds signed URLs to stored channels for a response. */
export function serializeChannels(channels: readonly Channel[], deps: SerializeDeps): Channel[] {
  return channels.map((channel) =>
    channel.private && channel.picture ? { ...channel, picture: signPicture(channel.picture, deps) } : channel,
  );
}

/** Maps a file's key to the text that the signature covers. */
export type SignatureSubject = (key: string) => string;

/** Returns a picture with a signed URL. By default, the signature covers the file's key. */
export const signPicture = (picture: StoredPicture, deps: SerializeDeps, signatureSubject?: SignatureSubject): StoredPicture => ({
  ...picture,
  src: signFileUrl(picture.src, deps, signatureSubject),
});

/** Adds a signature to the URL of a stored file, as the parameter `grant`. Returns any other URL unchanged. */
export function signFileUrl(src: string, deps: SerializeDeps, signatureSubject: SignatureSubject = (key) => key): string {
  const key = /^\/media\/([^/?]+)/.exec(src)?.[1];
  return key === undefined ? src : withQuery(src, 'grant', deps.urlSigner.sign(signatureSubject(key), deps.now()));
}

/** Adds a query parameter to a URL or path. */
export const withQuery = (src: string, name: string, value: string): string =>
  `${src}${src.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value })}`;
