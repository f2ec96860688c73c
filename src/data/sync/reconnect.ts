import type { DataClientControl } from '../clients/account-client.ts';

/** First and longest pause between retries while the server does not respond, ms. */
const MIN_RETRY_DELAY_MS = 5000;
const MAX_RETRY_DELAY_MS = 60_000;

/**
 * Reconnect: refetches displayed data when the server responds again, whichever request detected it. Until then, it retries
 * with exponential backoff. Where event streams do not work, nothing else may send a request.
 */
export function watchReconnect({ context: { connection: link }, refresh }: DataClientControl, first = MIN_RETRY_DELAY_MS): void {
  const { connectivity: connection, signal } = link;
  let isAway = false;
  let isAsking = false;
  let pause = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    timer = setTimeout(ask, pause);
  };
  const ask = async () => {
    pause = Math.min(pause * 2, MAX_RETRY_DELAY_MS);
    if (!document.hidden) {
      isAsking = true;
      // A request that hangs does not block the next retry.
      await Promise.race([refresh().catch(() => {}), new Promise((resolve) => setTimeout(resolve, pause))]);
      isAsking = false;
    }
    if (isAway && !signal.aborted) wait();
  };
  const look = () => {
    const was = isAway;
    isAway = connection.get() !== 'online';
    if (isAway === was) return;
    clearTimeout(timer);
    pause = first;
    if (isAway) wait();
    else if (!isAsking) void refresh().catch(() => {});
  };
  connection.subscribe(look);
  look();
  signal.addEventListener('abort', () => clearTimeout(timer));
}
