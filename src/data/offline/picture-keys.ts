import type { Media, Post } from '../../../contract/post.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { slot } from './offline-store.ts';

/** A post's picture, small: `hash` is of its content, `src` its address on our own server. */
export interface SmallPicture {
  readonly hash: string;
  readonly src: string;
}

/** A kept picture by its name, which says all that tidying asks for: to read thousands of pictures takes seconds. */
export interface KeptPicture {
  readonly key: string;
  readonly hash: string;
  readonly bytes: number;
}

const OURS = /^\/media\/([\da-f]{64})\.\w+/;
/** Of these the server makes smaller ones; what may move it does not make smaller. */
const SCALED = /^(\/media\/[\da-f]{64})\.(?:jpg|png|avif)(.*)/;
/** Wide enough to be read on a phone, px. */
const WIDTH = 640;

/** Tells the content that an address of ours shows, in whatever size. */
export const hashOf = (src: string): string | null => OURS.exec(src)?.[1] ?? null;

/** What the names of a channel's kept pictures begin with; with an id, of a post's. */
export const picturesAt = (channelId: string, id?: number): string =>
  id === undefined ? `picture/${channelId}/` : `${slot(channelId, id).replace('post', 'picture')}/`;

export const pictureName = ({ channelId, id }: Post, hash: string, bytes: number): string =>
  `${picturesAt(channelId, id)}${hash}/${bytes}`;

/** The name of the post that a kept picture belongs to. */
export const postOf = (key: string): string => key.split('/').slice(0, 3).join('/').replace('picture', 'post');

/** The kept pictures whose names begin so. */
export async function keptPictures(shelf: Shelf, prefix = 'picture/'): Promise<KeptPicture[]> {
  return (await shelf.keys(prefix)).map((key) => {
    const [, , , hash = '', bytes] = key.split('/');
    return { key, hash, bytes: Number(bytes) };
  });
}

/** The pictures that a post shows before anything is played or opened. */
export function picturesOf({ media }: Post): SmallPicture[] {
  return media.flatMap((item) => {
    const shown = shownOf(item);
    const hash = hashOf(shown?.src ?? '');
    return shown === undefined || hash === null ? [] : { hash, src: smallOf(shown) };
  });
}

interface Shown {
  readonly src: string;
  readonly width?: number | undefined;
}

function shownOf({ type, src, mime, width, poster }: Media): Shown | undefined {
  const isPicture = type === 'photo' || mime?.startsWith('image/') === true;
  return isPicture && src !== undefined ? { src, width } : poster;
}

function smallOf({ src, width = 0 }: Shown): string {
  const [, start, end] = SCALED.exec(src) ?? [];
  return start !== undefined && width > WIDTH ? `${start}.w${WIDTH}.webp${end}` : src;
}
