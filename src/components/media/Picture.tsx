import { type ReactNode, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { srcSet } from '../../lib/media-url.ts';
import { Icon } from '../icons/Icon.tsx';
import { Out } from '../Link.tsx';
import { useKept } from './offline-image-context.ts';

interface PictureProps {
  readonly src: string | undefined;
  readonly alt: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly placeholder?: string | undefined;
  /** How wide it is shown, in cells of an album's grid. */
  readonly columns?: number | undefined;
  /** Something stands over it, so that it has no words of its own where it cannot be had. */
  readonly covered?: boolean;
}

/** Shows a picture over its nine colours, which go when it is there; one that cannot be had says so. */
export function Picture({ src, alt, width, height, placeholder, columns = 24, covered = false }: PictureProps) {
  const { msg } = useMsg();
  const [state, setState] = useState<'coming' | 'shown' | 'failed'>('coming');
  const onError = useKept(() => setState('failed'));
  return (
    <>
      {state !== 'shown' && <Placeholder colors={placeholder} />}
      {src !== undefined && state !== 'failed' && (
        <img
          // The column is 680 pixels wide; where the browser knows `auto`, it needs no telling.
          sizes={`auto,(min-width:45em) ${columns * 28}px,${columns * 4.2}vw`}
          srcSet={srcSet(src, width)}
          src={src}
          alt={alt}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          onLoad={() => setState('shown')}
          onError={onError}
        />
      )}
      {state === 'failed' && (
        <span className="lost" role="img" aria-label={alt}>
          {!covered && <Icon name="photo" />}
          {!covered && <span>{msg('Picture not available now')}</span>}
        </span>
      )}
    </>
  );
}

interface OpenLinkProps {
  readonly item: Media;
  readonly base: string;
  readonly children: ReactNode;
  onOpen(item: Media): void;
}

/** Opens a picture or a video large; with a key held down, as the link to the file that it is. */
export function OpenLink({ item, base, onOpen, children }: OpenLinkProps) {
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
      {children}
    </Out>
  );
}

/** Nine colours, row by row, softened by the style sheet; SVG fills, since a strict policy forbids style attributes. */
export function Placeholder({ colors }: { colors: string | undefined }) {
  const found = /^[\da-f]{54}$/.test(colors ?? '') ? colors?.match(/.{6}/g) : [];
  return (
    <svg className="placeholder" viewBox="0 0 3 3" preserveAspectRatio="none" aria-hidden="true">
      {found?.map((color, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nine cells that never change places
        <rect key={cell} x={cell % 3} y={Math.floor(cell / 3)} width="1.02" height="1.02" fill={`#${color}`} />
      ))}
    </svg>
  );
}
