import type { Channel } from '../../contract/channel.ts';
import { srcSet } from './src-set.ts';

interface AvatarProps {
  readonly channel: Pick<Channel, 'id' | 'title' | 'picture'>;
  /** Where pictures are: '' in the app, the API's origin on a foreign page. */
  readonly base?: string;
  readonly size?: 's' | 'm' | 'l';
}

const HUES = 8;

/** Gives the class that sets `--hue` to a channel's own colour, always the same one. */
export function hueClass(channelId: string): string {
  let sum = 0;
  for (const character of channelId) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return `hue-${sum % HUES}`;
}

/** Shows a channel's picture, or its first letter on its colour; the name stands beside it, so it says nothing itself. */
export function Avatar({ channel, base = '', size = 'm' }: AvatarProps) {
  const initial = [...channel.title.replace(/[^\p{L}\p{N}]+/gu, '')][0] ?? '#';
  return (
    <span className={`avatar ${size} ${hueClass(channel.id)}`} aria-hidden="true">
      {channel.picture === undefined ? (
        initial.toLocaleUpperCase()
      ) : (
        <img
          sizes="72px"
          srcSet={srcSet(base + channel.picture.src, channel.picture.width)}
          src={base + channel.picture.src}
          width={72}
          height={72}
          alt=""
          loading="lazy"
          decoding="async"
        />
      )}
    </span>
  );
}
