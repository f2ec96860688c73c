import type { Media } from '../../contract/post.ts';

/** What is shown in an album's tiles; everything else is a row of its own. */
export const isVisual = (media: Media): boolean =>
  media.type === 'photo' || media.type === 'video' || media.type === 'animation' || isPicture(media);

const isPicture = (media: Media): boolean =>
  media.type === 'document' &&
  media.mime?.startsWith('image/') === true &&
  media.mime !== 'image/svg+xml' &&
  media.src !== undefined &&
  media.width !== undefined;

/** A picture that is here, stands still and is covered by nothing: most of what channels post. */
export const isPlainPicture = (media: Media): boolean =>
  media.src !== undefined && media.motion === undefined && media.spoiler !== true && (media.type === 'photo' || isPicture(media));

/** Width by height, from the file or its poster; videos that say nothing are taken as 16 by 9. */
export function ratioOf(media: Media): number {
  const { width = media.poster?.width, height = media.poster?.height } = media;
  return width !== undefined && height !== undefined && height > 0 ? width / height : 16 / 9;
}
