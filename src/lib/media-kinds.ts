/* Media kinds: how a media item of a post is displayed. */
import type { Media } from '../../contract/post.ts';

/** Returns true for media that an album shows as tiles. Every other media item gets a separate row. */
export const isVisual = (media: Media): boolean =>
  media.type === 'photo' || media.type === 'video' || media.type === 'animation' || isPicture(media);

const isPicture = (media: Media): boolean =>
  media.type === 'document' &&
  media.mime?.startsWith('image/') === true &&
  media.mime !== 'image/svg+xml' &&
  media.src !== undefined &&
  media.width !== undefined;

/**
 * Returns true for a picture that is available, not animated, and has no spoiler mask: the most common media in
 * channels.
 */
export const isPlainPicture = (media: Media): boolean =>
  media.src !== undefined && media.motion === undefined && media.spoiler !== true && (media.type === 'photo' || isPicture(media));

/** Returns the aspect ratio (width / height), from the file or its poster; 16 / 9 if both are unknown. */
export function aspectRatioOf(media: Media): number {
  const { width = media.poster?.width, height = media.poster?.height } = media;
  return width !== undefined && height !== undefined && height > 0 ? width / height : 16 / 9;
}
