import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { Icon } from '../Icon.tsx';
import { Out } from '../Link.tsx';
import { COLUMNS, mosaic, tileClass } from './mosaic.ts';
import { Picture, Placeholder } from './Picture.tsx';
import { clockText, ratioOf } from './sizes.ts';

/** Comes after the box that it plays in, so that nothing moves. */
export const Player = lazy(() => import('./Player.tsx').then((module) => ({ default: module.Player })));

interface AlbumProps {
  readonly media: readonly Media[];
  /** The start of the post's text, which tells what the pictures show where nothing else does. */
  readonly caption: string;
  readonly base: string;
  readonly link: string | undefined;
  onOpen(media: Media): void;
}

/** Shows one to ten pictures and videos as one block whose height is known before any of them is there. */
export function Album({ media, caption, base, link, onOpen }: AlbumProps) {
  const { rows, tiles } = mosaic(media.map(ratioOf));
  const small = media.length === 1 && (media[0]?.width ?? 999) < 360;
  return (
    <div className={small ? 'album small-picture' : 'album'}>
      <svg viewBox={`0 0 ${COLUMNS} ${rows}`} width={COLUMNS} height={rows} aria-hidden="true" className="spacer" />
      <div className="mosaic">
        {media.map((item, index) => {
          const tile = tiles[index];
          return (
            <div key={item.messageId} className={`tile ${tile === undefined ? '' : tileClass(tile)}`}>
              <Covered item={item}>
                <Shown {...{ item, caption, base, link, onOpen }} place={index + 1} count={media.length} />
              </Covered>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Hides what the source marked as a spoiler until the reader asks. */
function Covered({ item, children }: { item: Media; children: ReactNode }) {
  const { msg } = useMsg();
  const [open, setOpen] = useState(item.spoiler !== true);
  if (open) return <Suspense fallback={<Placeholder colors={item.poster?.placeholder} />}>{children}</Suspense>;
  return (
    <button type="button" className="cover" onClick={() => setOpen(true)}>
      <Placeholder colors={item.placeholder ?? item.poster?.placeholder} />
      <span className="badge">{msg('Hidden picture: show')}</span>
    </button>
  );
}

interface ShownProps extends Omit<AlbumProps, 'media'> {
  readonly item: Media;
  readonly place: number;
  readonly count: number;
}

function Shown({ item, caption, base, link, onOpen, place, count }: ShownProps) {
  const name = useMediaName(item, caption, place, count);
  if (item.src === undefined) return <Missing item={item} base={base} link={link} name={name} />;
  const plays = item.type === 'animation' ? item.mime?.startsWith('image/') !== true : item.type === 'video' && count === 1;
  if (plays) return <Player item={item} base={base} name={name} />;
  const picture = item.type === 'video' ? item.poster : { ...item, src: item.src };
  return (
    <Out
      className="open"
      href={base + item.src}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen(item);
      }}
    >
      <Picture
        src={picture === undefined ? undefined : base + picture.src}
        alt={name}
        width={picture?.width}
        height={picture?.height}
        placeholder={picture?.placeholder ?? item.placeholder}
      />
      {item.type === 'video' && <PlayBadge item={item} name={picture === undefined ? name : ''} />}
    </Out>
  );
}

function PlayBadge({ item, name }: { item: Media; name: string }) {
  return (
    <>
      <span className="play">
        <Icon name="play" filled />
      </span>
      <span className="hidden">{name}</span>
      {item.duration !== undefined && <span className="badge corner">{clockText(item.duration)}</span>}
    </>
  );
}

/** A file that we do not hold: what is known of it, why it is not here, and where it is. */
function Missing({ item, base, link, name }: { item: Media; base: string; link: string | undefined; name: string }) {
  const why = useMissing(item);
  return (
    <div className="missing">
      {item.poster === undefined ? (
        <Placeholder colors={item.placeholder} />
      ) : (
        <Picture {...item.poster} src={base + item.poster.src} alt={name} placeholder={item.poster.placeholder} />
      )}
      <p>
        <Icon name={item.type === 'photo' ? 'photo' : 'play'} />
        <span>{why}</span>
        <OriginalLink link={link} />
      </p>
    </div>
  );
}

/** The way to the original post, where it has an address. */
export function OriginalLink({ link }: { link: string | undefined }) {
  const { msg } = useMsg();
  return link === undefined ? null : <Out href={link}>{msg('Open in Telegram')}</Out>;
}

/** Says honestly why a file is not here. */
export function useMissing(item: Media): string {
  const { msg } = useMsg();
  switch (item.missing) {
    case 'too-large':
      return msg('This file is too large to be kept here.');
    case 'pending':
      return msg('This file is on its way.');
    case 'lost':
      return msg('This file was named in the export but not found.');
    default:
      return msg('This file was not in the export.');
  }
}

const CAPTION_LENGTH = 90;

function useMediaName(item: Media, caption: string, place: number, count: number): string {
  const { msg, number } = useMsg();
  const kind = item.type === 'photo' || item.type === 'document' ? msg('Photo') : msg('Video');
  const which = count === 1 ? kind : msg(str`${kind} ${number(place)} of ${number(count)}`);
  const start = caption.trim().replace(/\s+/g, ' ');
  if (start === '') return which;
  return `${which}: ${start.length > CAPTION_LENGTH ? `${start.slice(0, CAPTION_LENGTH)}…` : start}`;
}
