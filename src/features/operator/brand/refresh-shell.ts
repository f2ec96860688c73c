/** How long the new shell may take to arrive, ms. */
const RENEW_TIMEOUT_MS = 5000;

/**
 * Has this device's worker fetch the shell in its new brand, so that a reload shows it. Other devices do that when the app is
 * next opened. Never rejects: without a worker a reload asks the server anyway.
 */
export async function renewShell(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
    const coming = registration?.installing;
    if (!coming) return;
    const installed = new Promise((done) => coming.addEventListener('statechange', done, { once: true }));
    await Promise.race([installed, new Promise((late) => setTimeout(late, RENEW_TIMEOUT_MS))]);
  } catch {
    // Offline, or storage is refused.
  }
}
