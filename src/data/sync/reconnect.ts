import type { DataClientControl } from '../clients/account-client.ts';

/** Minimum and maximum delay between retries while the server does not respond, ms. */
const MIN_RETRY_DELAY_MS = 5000;
const MAX_RETRY_DELAY_MS = 60_000;

/**
 * Reconnect: refetches displayed data when the server responds again to any request. Until then, it retries with exponential
 * backoff. Retries are needed if event streams do not work, because then nothing else may send a request.
 */
export function watchReconnect({ context, refresh }: DataClientControl, firstDelay = MIN_RETRY_DELAY_MS): void {
  const { connectivity, signal } = context.connection;
  let isDisconnected = false;
  let isRefreshing = false;
  let delay = firstDelay;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const scheduleRetry = () => {
    timer = setTimeout(retry, delay);
  };
  const retry = async () => {
    delay = Math.min(delay * 2, MAX_RETRY_DELAY_MS);
    if (!document.hidden) {
      isRefreshing = true;
      // A request that hangs does not block the next retry.
      await Promise.race([refresh().catch(() => {}), new Promise((resolve) => setTimeout(resolve, delay))]);
      isRefreshing = false;
    }
    if (isDisconnected && !signal.aborted) scheduleRetry();
  };
  const handleConnectivity = () => {
    const wasDisconnected = isDisconnected;
    isDisconnected = connectivity.get() !== 'online';
    if (isDisconnected === wasDisconnected) return;
    clearTimeout(timer);
    delay = firstDelay;
    if (isDisconnected) scheduleRetry();
    else if (!isRefreshing) void refresh().catch(() => {});
  };
  connectivity.subscribe(handleConnectivity);
  handleConnectivity();
  signal.addEventListener('abort', () => clearTimeout(timer));
}
