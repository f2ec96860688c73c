import { type ReactNode, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { PostIcon } from '../icons/PostIcon.tsx';
import { RareChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { clockText } from './format-media.ts';
import { OriginalLink, useMissingReason } from './MissingFile.tsx';
import { MediaLink, Picture, Placeholder } from './Picture.tsx';
import { VideoPlayer } from './VideoPlayer.tsx';

interface AlbumTileProps {
  readonly item: Media;
  readonly base: string;
  readonly name: string;
  readonly link: string | undefined;
  /** True if it is the only item of the album. A video then plays inline. */
  readonly isOnlyTile: boolean;
  onOpen(media: Media): void;
}

/** Album tile: content that is more than a plain picture: a spoiler, a missing file, a video or an animation. */
export function AlbumTile(props: AlbumTileProps) {
  return (
    <SpoilerMask item={props.item}>
      <TileContent {...props} />
    </SpoilerMask>
  );
}

/** Hides content that the source marked as a spoiler until the reader reveals it. */
function SpoilerMask({ item, children }: { item: Media; children: ReactNode }) {
  const { msg } = useMsg();
  const [isRevealed, setRevealed] = useState(item.spoiler !== true);
  if (isRevealed) return children;
  return (
    <button type="button" className="cover" onClick={() => setRevealed(true)}>
      <Placeholder colors={item.placeholder ?? item.poster?.placeholder} />
      <span className="badge">{msg('Show hidden picture')}</span>
    </button>
  );
}

function TileContent({ item, base, name, link, isOnlyTile, onOpen }: AlbumTileProps) {
  if (item.src === undefined) return <MissingTile item={item} base={base} link={link} name={name} />;
  // An animation may also be an image, such as a GIF.
  const isPlayedInline =
    item.type === 'animation' ? item.mime?.startsWith('image/') !== true : item.type === 'video' && isOnlyTile;
  if (isPlayedInline) return <VideoPlayer item={item} base={base} name={name} />;
  const picture = item.type === 'video' ? item.poster : { ...item, src: item.src };
  const linkedPicture = (
    <MediaLink item={item} base={base} onOpen={onOpen}>
      <Picture
        src={picture && base + picture.src}
        alt={name}
        width={picture?.width}
        height={picture?.height}
        placeholder={picture?.placeholder ?? item.placeholder}
        hasOverlay={item.type === 'video'}
      />
      {item.type === 'video' && <PlayBadge item={item} name={picture === undefined ? name : ''} />}
    </MediaLink>
  );
  const { motion } = item;
  if (motion === undefined) return linkedPicture;
  return (
    <RareChunk fallback={linkedPicture}>
      {(chunk) => <chunk.LivePhoto src={base + motion}>{linkedPicture}</chunk.LivePhoto>}
    </RareChunk>
  );
}

function PlayBadge({ item, name }: { item: Media; name: string }) {
  return (
    <>
      <span className="play">
        <PostIcon name="play" filled />
      </span>
      <span className="hidden">{name}</span>
      {item.duration !== undefined && <span className="badge corner">{clockText(item.duration)}</span>}
    </>
  );
}

/** Renders a file that the server does not store: its placeholder, why it is missing, and a link to the original. */
function MissingTile({ item, base, link, name }: { item: Media; base: string; link: string | undefined; name: string }) {
  const reason = useMissingReason(item);
  return (
    <div className="missing">
      <Picture
        placeholder={item.placeholder}
        {...item.poster}
        src={item.poster && base + item.poster.src}
        alt={name}
        hasOverlay
      />
      <p>
        <PostIcon name={item.type === 'photo' ? 'photo' : 'play'} />
        <span>{reason}</span>
        <OriginalLink link={link} />
      </p>
    </div>
  );
}
