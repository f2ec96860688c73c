import type { Media } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { aspectRatioOf, isPlainPicture } from '../../lib/media-kinds.ts';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { type AlbumLayout, GRID_COLUMNS, layoutSinglePicture, tileClass } from './album-grid.ts';
import { MediaLink, Picture } from './Picture.tsx';

interface AlbumProps {
  readonly media: readonly Media[];
  /**
   * The post's text without spoilers. Its start is the alternative text of the pictures, because there is no other
   * description.
   */
  readonly caption: string;
  readonly base: string;
  readonly link: string | undefined;
  onOpen(media: Media): void;
}

/** Album: renders one to ten pictures and videos as one block. Its height is known before any of them has loaded. */
export function Album(props: AlbumProps) {
  const ratios = props.media.map(aspectRatioOf);
  if (ratios.length === 1) return <Tiles {...props} {...layoutSinglePicture(ratios[0] ?? 0)} />;
  return <CommonChunk>{(chunk) => <Tiles {...props} {...chunk.layoutAlbum(ratios)} />}</CommonChunk>;
}

/** Minimum width of a single picture that fills the column, px. A smaller one is not enlarged. */
const MIN_FULL_WIDTH_PX = 360;

function Tiles({ media, caption, base, link, onOpen, rows, tiles }: AlbumProps & AlbumLayout) {
  const nameOf = usePictureNames(caption, media.length);
  const isSmall = media.length === 1 && (media[0]?.width ?? MIN_FULL_WIDTH_PX) < MIN_FULL_WIDTH_PX;
  return (
    <div className={isSmall ? 'album small-picture' : 'album'} part="media">
      <svg viewBox={`0 0 ${GRID_COLUMNS} ${rows}`} width={GRID_COLUMNS} height={rows} aria-hidden="true" className="spacer" />
      <div className="mosaic">
        {media.map((item, index) => {
          const tile = tiles[index];
          const tileProps = { item, base, onOpen, name: nameOf(item, index + 1) };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: all files of a rich message have one message's id
            <div key={`${index} ${item.src}`} className={`tile ${tile === undefined ? '' : tileClass(tile)}`}>
              {isPlainPicture(item) ? (
                <MediaLink {...tileProps}>
                  <Picture {...item} src={base + item.src} alt={tileProps.name} columns={tile?.columns} />
                </MediaLink>
              ) : (
                <CommonChunk>
                  {(chunk) => <chunk.AlbumTile {...tileProps} link={link} isOnlyTile={media.length === 1} />}
                </CommonChunk>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const MAX_CAPTION_LENGTH = 90;

/**
 * Returns a function for the accessible name of a picture: its type, its number among several, and the start of the
 * post's text.
 */
function usePictureNames(caption: string, count: number): (item: Media, position: number) => string {
  const { msg, number } = useMsg();
  return ({ type }, position) => {
    const kind = type === 'photo' || type === 'document' ? msg('Photo') : msg('Video');
    const label = count === 1 ? kind : msg(str`${kind} ${number(position)} of ${number(count)}`);
    const start = caption.trim().replace(/\s+/g, ' ');
    if (start === '') return label;
    return `${label}: ${start.length > MAX_CAPTION_LENGTH ? `${start.slice(0, MAX_CAPTION_LENGTH)}…` : start}`;
  };
}
