import { useEffect } from 'react';
import { Viewer } from '../../components/media-viewer/MediaViewer.tsx';
import { useServices } from '../../context/services.ts';
import { layEntry } from '../../lib/history-state.ts';
import type { Viewed } from './use-post-actions.ts';

interface OpenViewerProps {
  readonly viewed: Viewed;
  /** Set if the post itself is not visible: the viewer then links to it. */
  readonly apart?: unknown;
  readonly onClose: () => void;
}

/**
 * Media viewer inside the app's container: every way to go back closes it, and the container's own swipe gesture is disabled
 * meanwhile.
 */
export function OpenViewer({ viewed, apart, onClose }: OpenViewerProps) {
  const { host, site } = useServices();
  // Telegram would treat the viewer's swipe down as the gesture that minimizes the app.
  useEffect(() => {
    host.allowVerticalSwipes(false);
    return () => host.allowVerticalSwipes(true);
  }, [host]);
  const shown = () => {
    const ends = [host.showBackButton(onClose), ...(site.embedded ? [] : [layEntry(onClose)])];
    return () => {
      for (const end of ends) end();
    };
  };
  // Telegram's web views save no files; the external browser does.
  const onDownload = host.kind === 'telegram' ? host.openLink : undefined;
  return <Viewer {...viewed} apart={apart} base={site.base} onDownload={onDownload} onClose={onClose} onShown={shown} />;
}
