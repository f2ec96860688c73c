import type { MouseEvent } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Media, Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import type { LinkContext } from '../../lib/links.ts';
import { ExternalLink } from '../Link.tsx';
import { RichText } from '../rich-text/RichText.tsx';
import { useOriginalLabel } from '../use-original-label.ts';

interface CaptionProps {
  readonly item: Media;
  readonly post: Post;
  readonly channel: Pick<Channel, 'id' | 'username'>;
  readonly linkContext: LinkContext;
  /** Called after the reader followed a link in the text. */
  onLinkFollowed(): void;
}

/**
 * Caption of the media viewer: the post's complete text below its pictures, and a notice if the displayed picture is
 * not the original.
 */
export function Caption({ item, post, channel, linkContext, onLinkFollowed }: CaptionProps) {
  const { msg } = useMsg();
  const originalLabel = useOriginalLabel(post.link);
  // The text of a rich message surrounds its pictures. It is not a caption.
  const hasText = post.text !== '' && !isRich(post.extra);
  const isSmallerCopy = item.src !== undefined && item.missing !== undefined;
  if (!hasText && !isSmallerCopy) return null;
  // Closes after the link has navigated: if the viewer closed before, it would navigate back.
  const onClick = ({ target }: MouseEvent) =>
    target instanceof Element && target.closest('a[href]:not([target])') && setTimeout(onLinkFollowed);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link dispatches a click too
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={trackCaptionHeight}
      className="viewer-caption"
      role="group"
      aria-label={msg('Text of the post')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard
      tabIndex={0}
      onClick={onClick}
    >
      {isSmallerCopy && (
        <p className="viewer-note">
          {msg('This is a smaller copy: the original was removed to save space.')}{' '}
          {post.link !== undefined && <ExternalLink href={post.link}>{originalLabel}</ExternalLink>}
        </p>
      )}
      {hasText && <RichText {...post} channel={channel} linkContext={linkContext} />}
    </div>
  );
}

/**
 * Publishes the caption's height as `--viewer-caption`, so that videos leave space for it and nothing covers their
 * controls.
 */
function trackCaptionHeight(element: HTMLElement | null): (() => void) | undefined {
  const viewer = element?.closest('dialog');
  if (!element || !viewer) return;
  const observer = new ResizeObserver(() => viewer.style.setProperty('--viewer-caption', `${element.offsetHeight}px`));
  observer.observe(element);
  return () => {
    observer.disconnect();
    viewer.style.removeProperty('--viewer-caption');
  };
}

const isRich = (extra: unknown): boolean =>
  typeof extra === 'object' && extra !== null && 'type' in extra && extra.type === 'rich';
