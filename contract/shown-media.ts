/* Media availability: decides whether the files of a post can be displayed. */
import type { Media } from './post.ts';

type MediaAvailability = Pick<Media, 'type' | 'src' | 'poster' | 'missing'>;

/** Returns whether a file, or a picture of it, is available or will be (its download is pending). */
export const isMediaShown = ({ src, poster, missing }: MediaAvailability): boolean =>
  (src ?? poster) !== undefined || missing === undefined || missing === 'pending';

/**
 * Returns whether a post with these files counts as a post with media: at least one file is shown and is not a sticker.
 */
export const showsMedia = (media: readonly MediaAvailability[]): boolean =>
  media.some((item) => item.type !== 'sticker' && isMediaShown(item));

/**
 * Returns whether the source left a file out, or named a file that was not found, and no picture is shown instead.
 */
export const isMediaLeftOut = (item: MediaAvailability): boolean =>
  item.type !== 'sticker' && !isMediaShown(item) && (item.missing === 'not-included' || item.missing === 'lost');
