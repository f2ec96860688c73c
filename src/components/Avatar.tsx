import { useEffect, useState } from 'react';
import type { Channel } from '../../contract/channel.ts';
import { srcSet } from '../lib/media-url.ts';

interface AvatarProps {
  readonly channel: Pick<Channel, 'id' | 'title' | 'picture'>;
  /** Base URL of pictures: '' in the app, the API's origin on a third-party page. */
  readonly base?: string;
  readonly size?: 's' | 'm' | 'l';
}

const HUE_COUNT = 8;

/**
 * Returns the class that sets `--hue` to the colour of a channel: a hash of its id, so that the colour never changes.
 */
export function hueClass(channelId: string): string {
  let hash = 0;
  for (const character of channelId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return `hue-${hash % HUE_COUNT}`;
}

/**
 * Avatar of a channel: its picture, or its first letter on its colour if it has no picture or the picture failed to
 * load. It is hidden from screen readers, because the channel's name is next to it. A picture that failed is retried
 * when the device is back online.
 */
export function Avatar({ channel: { id, title, picture }, base = '', size = 'm' }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useState<string>();
  useEffect(() => {
    if (failedSrc === undefined) return;
    const retry = () => setFailedSrc(undefined);
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [failedSrc]);
  const initial = [...title.replace(/[^\p{L}\p{N}]+/gu, '')][0] ?? '#';
  return (
    <span className={`avatar ${size} ${hueClass(id)}`} aria-hidden="true">
      {picture === undefined || picture.src === failedSrc ? (
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
          onError={() => setFailedSrc(picture.src)}
        />
      )}
    </span>
  );
}
