import { type ReactNode, useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import style from './storage-warning.css';

/**
 * Storage warning: notice that this device stores nothing beyond the page, with a link to the diagnostics. Otherwise `children`
 * are rendered.
 */
export function StorageWarning({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const { environment: site } = useServices();
  const { msg } = useMsg();
  const element = useStylesheet(style);
  const ready = useAreaMessages('self-test');
  const told = useIsStorageVolatile() && ready && !path.startsWith('/test');
  return (
    <>
      <div ref={element} role="status">
        {told && (
          <a className="forgetful" href={`${site.baseUrl}/test`}>
            <span>{msg('Nothing can be kept on this device.')}</span> <strong>{msg('Check this app')}</strong>
          </a>
        )}
      </div>
      {!told && children}
    </>
  );
}

/** Returns true if memory replaces the device's databases. */
function useIsStorageVolatile(): boolean {
  const { dataClient: channels } = useServices();
  const [forgetful, setForgetful] = useState(false);
  useEffect(() => {
    let stop: (() => void) | null = () => {};
    void channels.context?.offline.storage.then(({ persistent: lasting }) => {
      if (stop === null) return;
      const tell = () => setForgetful(!lasting.get());
      stop = lasting.subscribe(tell);
      tell();
    });
    return () => {
      stop?.();
      stop = null;
    };
  }, [channels]);
  return forgetful;
}
