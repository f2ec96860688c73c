/**
 * Has this device's worker fetch the shell in its new brand and take over at once, so that a reload shows it. Other devices do
 * that when the app is next opened. Never rejects: without a worker a reload asks the server anyway.
 */
export async function renewShell(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
    const coming = registration?.installing ?? registration?.waiting;
    if (!coming) return;
    const active = new Promise<void>((done) => {
      coming.addEventListener('statechange', () => {
        if (coming.state === 'activated' || coming.state === 'redundant') done();
      });
    });
    coming.postMessage({ type: 'skip-waiting' });
    await Promise.race([active, new Promise((late) => setTimeout(late, PATIENCE))]);
  } catch {
    // Offline, or storage is refused.
  }
}

const PATIENCE = 5000;
