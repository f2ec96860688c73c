import { useEffect } from 'react';
import { Viewer } from '../../components/media-viewer/MediaViewer.tsx';
import { useServices } from '../../context/services.ts';
import { layEntry } from '../../lib/history-state.ts';
import type { Viewed } from './use-post-actions.ts';

interface OpenViewerProps {
  readonly viewed: Viewed;
  /** Given where the post itself is not in sight: a link leads to it. */
  readonly apart?: unknown;
  readonly onClose: () => void;
}

/** The viewer within what holds the app: whatever goes back closes it, and the app's own swipe rests meanwhile. */
export function OpenViewer({ viewed, apart, onClose }: OpenViewerProps) {
  const { host, site } = useServices();
  // Telegram would take the viewer's own swipe down for the one that puts the whole app away.
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
  // Telegram's web views keep no files: the browser outside does.
  const onDownload = host.kind === 'telegram' ? host.openLink : undefined;
  return <Viewer {...viewed} apart={apart} base={site.base} onDownload={onDownload} onClose={onClose} onShown={shown} />;
}
