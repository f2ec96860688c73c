import { useEffect } from 'react';
import { useServices } from '../context/services.ts';

/**
 * Unsaved changes warning: the container asks for confirmation before it closes the app. It ends when no component has
 * unsaved changes any more.
 */
export function useUnsavedWarning(unsaved: boolean): void {
  const { host } = useServices();
  useEffect(() => {
    if (!unsaved) return;
    host.confirmClosing(true);
    return () => host.confirmClosing(false);
  }, [host, unsaved]);
}
