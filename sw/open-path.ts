/* Opens a page of the app after a click on a notification. */
import { OPEN_PATH_MESSAGE } from '../src/lib/push-notifications.ts';
import { isAppPath } from './app-paths.ts';

declare const self: ServiceWorkerGlobalScope;

/** Maximum time that a window has to confirm a navigation, ms. A window that is still loading does not confirm it. */
const CONFIRM_TIMEOUT_MS = 1000;

/**
 * Opens a path in the window of the app that the reader used last, otherwise in a new window. The page navigates itself,
 * so that it keeps its state, and Back returns to it. A page that does not respond is loaded again.
 */
export async function openPath(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const client = windows.find(({ url, frameType }) => frameType === 'top-level' && isAppPath(new URL(url).pathname));
  if (client !== undefined) {
    // Rejects if too much time has passed since the click.
    await client.focus().catch(() => {});
    if (await navigatesItself(client, path)) return;
    // Rejects for a window that this worker does not control.
    const isLoaded = await client.navigate(path).then(
      (loaded) => loaded !== null,
      () => false,
    );
    if (isLoaded) return;
  }
  await self.clients.openWindow(path);
}

/** Requests that a page opens a path. Resolves with true if the page confirms it. */
function navigatesItself(client: WindowClient, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    setTimeout(() => resolve(false), CONFIRM_TIMEOUT_MS);
    port1.onmessage = () => resolve(true);
    client.postMessage({ type: OPEN_PATH_MESSAGE, path }, [port2]);
  });
}
