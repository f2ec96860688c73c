import type { Media } from './post.ts';

type Item = Pick<Media, 'type' | 'src' | 'poster' | 'missing'>;

/** Returns whether a file, or a picture of it, is here or on its way. */
export const isShown = ({ src, poster, missing }: Item): boolean =>
  (src ?? poster) !== undefined || missing === undefined || missing === 'pending';

/** Returns whether a list of media shows a post with these files: one of them is shown, and is more than a sticker. */
export const showsMedia = (media: readonly Item[]): boolean => media.some((item) => item.type !== 'sticker' && isShown(item));

/** Returns whether the source left a file out, or named one that is not there, and nothing of it can be shown. */
export const isLeftOut = (item: Item): boolean =>
  item.type !== 'sticker' && !isShown(item) && (item.missing === 'not-included' || item.missing === 'lost');
