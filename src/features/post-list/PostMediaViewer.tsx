import { useEffect } from 'react';
import { MediaViewer } from '../../components/media-viewer/MediaViewer.tsx';
import { useServices } from '../../context/services.ts';
import { pushOverlayEntry } from '../../lib/history-state.ts';
import type { ViewedMedia } from './use-post-actions.ts';

interface PostMediaViewerProps {
  readonly viewed: ViewedMedia;
  /** Set if the post itself is not visible: the viewer then links to it. */
  readonly withPostLink?: unknown;
  readonly onClose: () => void;
}

/**
 * Media viewer inside the app's container: every way to go back closes it, and the container's own swipe gesture is
 * disabled while it is open.
 */
export function PostMediaViewer({ viewed, withPostLink, onClose }: PostMediaViewerProps) {
  const { host, environment } = useServices();
  // Telegram would treat the viewer's swipe down as the gesture that minimizes the app.
  useEffect(() => {
    host.allowVerticalSwipes(false);
    return () => host.allowVerticalSwipes(true);
  }, [host]);
  const onShown = () => {
    const cleanups = [host.showBackButton(onClose), ...(environment.embedded ? [] : [pushOverlayEntry(onClose)])];
    return () => {
      for (const cleanUp of cleanups) cleanUp();
    };
  };
  // Telegram's web views save no files; the external browser does.
  const onDownload = host.kind === 'telegram' ? host.openLink : undefined;
  return (
    <MediaViewer
      {...viewed}
      hasPostLink={withPostLink}
      base={environment.baseUrl}
      onDownload={onDownload}
      onClose={onClose}
      onShown={onShown}
    />
  );
}
