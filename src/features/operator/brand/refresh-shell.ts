/** Maximum time for the new shell to load, ms. */
const REFRESH_TIMEOUT_MS = 5000;

/**
 * Shell refresh: makes the service worker fetch the shell with the new brand, so that a reload on this device shows it.
 * Other devices fetch it when the app is next opened. Never rejects: without a worker, a reload requests the shell from
 * the server in any case.
 */
export async function refreshShell(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
    const newWorker = registration?.installing;
    if (!newWorker) return;
    const installed = new Promise((resolve) => newWorker.addEventListener('statechange', resolve, { once: true }));
    await Promise.race([installed, new Promise((resolve) => setTimeout(resolve, REFRESH_TIMEOUT_MS))]);
  } catch {
    // Offline, or storage is blocked.
  }
}
