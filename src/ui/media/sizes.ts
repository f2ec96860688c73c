import type { Media } from '../../../contract/post.ts';
import type { Messages } from '../../i18n/i18n.ts';

/** What is shown in an album's tiles; everything else is a row of its own. */
export const isVisual = (media: Media): boolean =>
  media.type === 'photo' ||
  media.type === 'video' ||
  media.type === 'animation' ||
  (media.type === 'document' && isPicture(media));

const isPicture = (media: Media): boolean =>
  media.mime?.startsWith('image/') === true &&
  media.mime !== 'image/svg+xml' &&
  media.src !== undefined &&
  media.width !== undefined;

/** Width by height, from the file or its poster; videos that say nothing are taken as 16 by 9. */
export function ratioOf(media: Media): number {
  const { width = media.poster?.width, height = media.poster?.height } = media;
  return width !== undefined && height !== undefined && height > 0 ? width / height : 16 / 9;
}

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Says a size as people do: "3.4 MB". */
export function sizeText(m: Messages, bytes: number): string {
  const power = bytes < 1e6 ? 0 : bytes < 1e9 ? 1 : 2;
  const value = Math.max(1, bytes / 1000 ** (power + 1));
  const maximumFractionDigits = value < 10 && power > 0 ? 1 : 0;
  const options = { style: 'unit', unit: UNITS[power], unitDisplay: 'short', maximumFractionDigits } as const;
  return new Intl.NumberFormat(m.locale, options).format(value);
}

/** Says a duration in seconds as a clock: "3:07". */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds);
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}
