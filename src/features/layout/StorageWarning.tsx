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
  const { environment } = useServices();
  const { msg } = useMsg();
  const element = useStylesheet(style);
  const ready = useAreaMessages('self-test');
  const isShown = useIsStorageVolatile() && ready && !path.startsWith('/test');
  return (
    <>
      <div ref={element} role="status">
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

/** Returns true if memory replaces the device's databases. */
function useIsStorageVolatile(): boolean {
  const { dataClient } = useServices();
  const [forgetful, setForgetful] = useState(false);
  useEffect(() => {
    let stop: (() => void) | null = () => {};
    void dataClient.context?.offline.storage.then(({ persistent }) => {
      if (stop === null) return;
      const update = () => setForgetful(!persistent.get());
      stop = persistent.subscribe(update);
      update();
    });
    return () => {
      stop?.();
      stop = null;
    };
  }, [dataClient]);
  return forgetful;
}
