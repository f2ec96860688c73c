import { useState } from 'react';
import type { Channel } from '../../contract/channel.ts';
import { srcSet } from '../lib/media-url.ts';

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

/**
 * Shows a channel's picture, or its first letter on its colour where it has none or the picture could not be had. Its name
 * stands beside it, so it says nothing itself. A picture that failed is tried again when the device is back online.
 */
export function Avatar({ channel: { id, title, picture }, base = '', size = 'm' }: AvatarProps) {
  const [failed, setFailed] = useState<string>();
  const initial = [...title.replace(/[^\p{L}\p{N}]+/gu, '')][0] ?? '#';
  return (
    <span className={`avatar ${size} ${hueClass(id)}`} aria-hidden="true">
      {picture === undefined || picture.src === failed ? (
        initial.toLocaleUpperCase()
      ) : (
        <img
          sizes="72px"
          srcSet={srcSet(base + picture.src, picture.width)}
          src={base + picture.src}
          width={72}
          height={72}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => {
            setFailed(picture.src);
            window.addEventListener('online', () => setFailed(undefined), { once: true });
          }}
        />
      )}
    </span>
  );
}
