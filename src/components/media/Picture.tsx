import { type ReactNode, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { srcSet } from '../../lib/media-url.ts';
import { Icon } from '../icons/Icon.tsx';
import { ExternalLink } from '../Link.tsx';
import { useOfflineImage } from './offline-image-context.ts';

interface PictureProps {
  readonly src: string | undefined;
  readonly alt: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly placeholder?: string | undefined;
  /** Displayed width, in cells of the album's grid. */
  readonly columns?: number | undefined;
  /** True if something is displayed over the picture. Then it shows no text of its own if it fails to load. */
  readonly hasOverlay?: boolean;
}

/**
 * Picture: shows an image over its placeholder of nine colours, which is removed when the image has loaded. If loading
 * fails, shows a text.
 */
export function Picture({ src, alt, width, height, placeholder, columns = 24, hasOverlay = false }: PictureProps) {
  const { msg } = useMsg();
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const onError = useOfflineImage(() => setState('failed'));
  return (
    <>
      {state !== 'shown' && <Placeholder colors={placeholder} />}
      {src !== undefined && state !== 'failed' && (
        <img
          // A column of the grid is 1/24 of 680 px, or 1/24 of a narrow window. Browsers that support `auto` ignore
          // these values.
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
          {!hasOverlay && <Icon name="photo" />}
          {!hasOverlay && <span>{msg('Picture not available now')}</span>}
        </span>
      )}
    </>
  );
}

interface MediaLinkProps {
  readonly item: Media;
  readonly base: string;
  readonly children: ReactNode;
  onOpen(item: Media): void;
}

/** Link that opens a picture or a video in the viewer. With a modifier key it opens the file. */
export function MediaLink({ item, base, onOpen, children }: MediaLinkProps) {
  return (
    <ExternalLink
      className="open"
      href={base + item.src}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen(item);
      }}
    >
      {children}
    </ExternalLink>
  );
}

/**
 * Placeholder of nine colours, row by row, which the style sheet blurs. It uses SVG fills because a strict
 * Content-Security-Policy forbids style attributes. The cells overlap slightly, so that no gaps are visible.
 */
export function Placeholder({ colors }: { colors: string | undefined }) {
  const cells = /^[\da-f]{54}$/.test(colors ?? '') ? colors?.match(/.{6}/g) : [];
  return (
    <svg className="placeholder" viewBox="0 0 3 3" preserveAspectRatio="none" aria-hidden="true">
      {cells?.map((color, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nine cells in a fixed order
        <rect key={cell} x={cell % 3} y={Math.floor(cell / 3)} width="1.02" height="1.02" fill={`#${color}`} />
      ))}
    </svg>
  );
}
