import { useEffect } from 'react';
import { useServices } from '../context/services.ts';

/** Has the container ask before it closes the app, as long as something is unsaved; of several, the last to be saved ends it. */
export function useUnsaved(unsaved: boolean): void {
  const { host } = useServices();
  useEffect(() => {
    if (!unsaved) return;
    host.confirmClosing(true);
    return () => host.confirmClosing(false);
  }, [host, unsaved]);
}
