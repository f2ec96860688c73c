import type { Channel, Picture } from '../../contract/channel.ts';
import type { Grants } from '../media/signed-urls.ts';

/** Services that this module uses: they sign the URLs of files. */
export type SerializeDeps = {
  readonly grants: Grants;
  readonly now: () => number;
};

/** Channel serialization: adds signed URLs to stored channels for a response. */
export function presentChannels(channels: readonly Channel[], deps: SerializeDeps): Channel[] {
  return channels.map((channel) =>
    channel.private && channel.picture ? { ...channel, picture: grantPicture(channel.picture, deps) } : channel,
  );
}

/** Maps a file's key to the text that the signature covers. */
export type Signed = (key: string) => string;

export const grantPicture = (picture: Picture, deps: SerializeDeps, signed?: Signed): Picture => ({
  ...picture,
  src: grant(picture.src, deps, signed),
});

export function grant(src: string, deps: SerializeDeps, signed: Signed = (key) => key): string {
  const key = /^\/media\/([^/?]+)/.exec(src)?.[1];
  return key === undefined ? src : withQuery(src, 'grant', deps.grants.sign(signed(key), deps.now()));
}

export const withQuery = (src: string, name: string, value: string): string =>
  `${src}${src.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value })}`;
