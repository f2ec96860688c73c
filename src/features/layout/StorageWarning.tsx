import { type ReactNode, useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import styles from './storage-warning.css';

/**
 * Storage warning: notice that this device stores nothing after the page is closed, with a link to the diagnostics.
 * Renders `children` if there is nothing to warn about.
 */
export function StorageWarning({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const { environment } = useServices();
  const { msg } = useMsg();
  const styleRef = useStylesheet(styles);
  const hasMessages = useAreaMessages('self-test');
  const isShown = useIsStorageVolatile() && hasMessages && !path.startsWith('/test');
  return (
    <>
      <div ref={styleRef} role="status">
        {isShown && (
          <a className="forgetful" href={`${environment.baseUrl}/test`}>
            <span>{msg('Nothing can be saved on this device.')}</span> <strong>{msg('Check this app')}</strong>
          </a>
        )}
      </div>
      {!isShown && children}
    </>
  );
}

/** Returns true if the data is only in memory, because the device's databases are not available. */
function useIsStorageVolatile(): boolean {
  const { dataClient } = useServices();
  const [isVolatile, setVolatile] = useState(false);
  useEffect(() => {
    // Null after the unmount.
    let stop: (() => void) | null = () => {};
    void dataClient.context?.offline.storage.then(({ persistent }) => {
      if (stop === null) return;
      const update = () => setVolatile(!persistent.get());
      stop = persistent.subscribe(update);
      update();
    });
    return () => {
      stop?.();
      stop = null;
    };
  }, [dataClient]);
  return isVolatile;
}
