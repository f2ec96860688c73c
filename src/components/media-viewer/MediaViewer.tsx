import { type MouseEvent, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Media, Post } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { type LinkContext, postPath } from '../../lib/links.ts';
import { createCancelHandler } from '../dialog-cancel.ts';
import { AnyIcon, type AnyIconName } from '../icons/AnyIcon.tsx';
import { Outline } from '../icons/Icon.tsx';
import { SAVE_OUTLINE } from '../icons/shared-paths.ts';
import { PageLink } from '../Link.tsx';
import { Caption } from './Caption.tsx';
import { isPlayable, Slide } from './Slide.tsx';
import { useViewer } from './use-viewer.ts';

const ZOOM_IN_ICON = <Outline path="M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0m16 9-4-4M11 8v6M8 11h6" />;
const ZOOM_OUT_ICON = <Outline path="M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0m16 9-4-4M8 11h6" />;
const DOWNLOAD_ICON = <Outline path={SAVE_OUTLINE} />;

interface MediaViewerProps {
  readonly post: Post;
  readonly channel: Pick<Channel, 'id' | 'username'>;
  readonly linkContext: LinkContext;
  /** Items that can be shown, in the order of the post. */
  readonly items: readonly Media[];
  /** Item that is shown first. */
  readonly first: Media;
  /** Base URL of files: '' in the app, the API's origin on a third-party page. */
  readonly base: string;
  /** Set if the post itself is not visible; then a link leads to it. */
  readonly hasPostLink?: unknown;
  /** Receives a file's URL if the container cannot save files. Absent if the browser can. */
  readonly onDownload?: ((address: string) => void) | undefined;
  onClose(): void;
  /** Called when the viewer has opened. The returned function is called when it closes. */
  onShown(): () => void;
}

/**
 * Media viewer (lightbox): shows a post's pictures and videos one at a time over everything else. The browser's
 * `dialog` handles focus and Escape.
 */
export function MediaViewer({
  post,
  channel,
  linkContext,
  items,
  first,
  base,
  hasPostLink,
  onDownload,
  onClose,
  onShown,
}: MediaViewerProps) {
  const messages = useMsg();
  const dialog = useDialog(onShown);
  const [areControlsHidden, setControlsHidden] = useState(false);
  const { viewport, track, index, zoomed, go, toggleZoom, onKeyDown } = useViewer({
    count: items.length,
    first: Math.max(0, items.indexOf(first)),
    dir: messages.dir,
    onClose,
    onTap: (onPicture, pointer) => (pointer === 'mouse' && !onPicture ? onClose() : setControlsHidden(!areControlsHidden)),
  });
  // At either end a step button disappears. If it had the focus, the arrow keys would stop working.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each step
  useEffect(() => {
    if (dialog.current?.matches(':focus-within') === false) focusCloseButton(dialog.current);
  }, [index]);
  const item = items[index];
  if (item === undefined) return null;
  const renderedIndexes = [index - 1, index, index + 1].filter((slideIndex) => items[slideIndex] !== undefined);
  const sideOf = (slideIndex: number) => {
    if (slideIndex === index) return 'here';
    return slideIndex > index === (messages.dir === 'ltr') ? 'right' : 'left';
  };
  return (
    <dialog
      ref={dialog}
      className={areControlsHidden ? 'viewer bare' : 'viewer'}
      aria-label={messages.msg('Pictures of this post')}
      onCancel={createCancelHandler(onClose)}
      onClose={onClose}
      onKeyDown={(event) => {
        setControlsHidden(false);
        onKeyDown(event);
      }}
    >
      <div ref={viewport} className={zoomed ? 'viewer-stage zoomed' : 'viewer-stage'}>
        <div ref={track} className="viewer-track">
          {renderedIndexes.map((slideIndex) => (
            <Slide
              key={slideIndex}
              item={items[slideIndex] ?? item}
              base={base}
              side={sideOf(slideIndex)}
              zoomed={zoomed && slideIndex === index}
            />
          ))}
        </div>
      </div>
      <ViewerBar
        {...{ item, index, count: items.length, zoomed, toggleZoom }}
        {...{ post, channel, linkContext, base, hasPostLink, onDownload, onClose }}
      />
      {index > 0 && <Control name={messages.msg('Previous picture')} icon="previous" step onPress={() => go(-1)} />}
      {index < items.length - 1 && <Control name={messages.msg('Next picture')} icon="next" step onPress={() => go(1)} />}
      <Caption {...{ item, post, channel, linkContext }} onLinkFollowed={onClose} />
    </dialog>
  );
}

interface ViewerBarProps
  extends Pick<MediaViewerProps, 'post' | 'channel' | 'linkContext' | 'base' | 'hasPostLink' | 'onDownload' | 'onClose'> {
  readonly item: Media;
  readonly index: number;
  readonly count: number;
  readonly zoomed: boolean;
  readonly toggleZoom: () => void;
}

/** Bar above the picture: its number, the link to the post, and the controls. */
function ViewerBar({ item, index, count, zoomed, toggleZoom, hasPostLink, onClose, ...props }: ViewerBarProps) {
  const messages = useMsg();
  const { post, channel, linkContext, base, onDownload } = props;
  return (
    <div className="viewer-bar">
      <span aria-live="polite">{count > 1 && messages.msg(str`${messages.number(index + 1)} of ${messages.number(count)}`)}</span>
      <span className="spring" />
      {!isPlayable(item) && (
        <Control name={messages.msg('Zoom')} icon={zoomed ? ZOOM_OUT_ICON : ZOOM_IN_ICON} pressed={zoomed} onPress={toggleZoom} />
      )}
      {hasPostLink !== undefined && (
        <PageLink
          className="icon-button"
          linkContext={linkContext}
          path={postPath(channel, post.id)}
          aria-label={messages.msg('Open the post')}
          title={messages.msg('Open the post')}
          // Closes after the link has navigated: if the viewer closed before, it would navigate back.
          onClick={() => setTimeout(onClose)}
        >
          <AnyIcon name="feed" />
        </PageLink>
      )}
      <Download {...{ item, base, onDownload }} name={fileName(item, channel)} />
      <Control name={messages.msg('Close')} icon="close" onPress={onClose} />
    </div>
  );
}

/** Opens the dialog, locks the scrolling of the page behind it, and restores the focus when it closes. */
function useDialog(onShown: () => () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the viewer opens
  useLayoutEffect(() => {
    const element = dialog.current;
    const { style, clientWidth } = document.documentElement;
    const { overflow, scrollbarGutter } = style;
    // If the scroll bar takes space, its space is preserved. Otherwise the page would move.
    if (window.innerWidth > clientWidth) style.scrollbarGutter = 'stable';
    style.overflow = 'hidden';
    element?.showModal();
    focusCloseButton(element);
    const hide = onShown();
    return () => {
      style.overflow = overflow;
      style.scrollbarGutter = scrollbarGutter;
      element?.close();
      hide();
    };
  }, []);
  return dialog;
}

/** Focuses the close button rather than a control before it: there, Enter would open another page. */
const focusCloseButton = (dialog: HTMLDialogElement | null): void =>
  dialog?.querySelector<HTMLElement>('.viewer-bar button:last-child')?.focus();

interface ControlProps {
  readonly name: string;
  readonly icon: AnyIconName | ReactElement;
  readonly pressed?: boolean;
  /** Positions the control at the side of the viewport, for a step to another picture. */
  readonly step?: boolean;
  onPress(): void;
}

function Control({ name, icon, pressed, step, onPress }: ControlProps) {
  const sideClass = step === true && typeof icon === 'string' ? ` viewer-${icon}` : '';
  return (
    <button
      type="button"
      className={`icon-button${sideClass}`}
      aria-label={name}
      aria-pressed={pressed}
      title={name}
      onClick={onPress}
    >
      {typeof icon === 'string' ? <AnyIcon name={icon} /> : icon}
    </button>
  );
}

interface DownloadProps extends Pick<MediaViewerProps, 'base' | 'onDownload'> {
  readonly item: Media;
  readonly name: string;
}

function Download({ item, base, name, onDownload }: DownloadProps) {
  const { msg } = useMsg();
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (onDownload === undefined) return;
    event.preventDefault();
    onDownload(event.currentTarget.href);
  };
  return (
    <a
      className="icon-button"
      href={base + (item.src ?? '')}
      download={name}
      // A file on another origin is opened instead of downloaded, and must not replace the page.
      target="_blank"
      rel="noopener"
      aria-label={msg('Download')}
      title={msg('Download')}
      onClick={open}
    >
      {DOWNLOAD_ICON}
    </a>
  );
}

/** Returns the name for a downloaded file: its own name, otherwise the channel's name with the message id. */
function fileName({ name, src = '', messageId }: Media, { id, username = id }: Pick<Channel, 'id' | 'username'>): string {
  return name ?? `${username}-${messageId}${/\.\w+(?=\?|$)/.exec(src)?.[0] ?? ''}`;
}
