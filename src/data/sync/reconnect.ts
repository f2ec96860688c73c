import type { ChannelsArea } from '../clients/account-client.ts';

/** The first pause before a server that did not answer is asked again, and the longest, ms. */
const FIRST = 5000;
const LONGEST = 60_000;

/**
 * Reads what is shown anew when the server answers again, whoever heard it first. While it does not, it is asked from time to
 * time, more and more seldom: nothing else may, where no stream of events comes through.
 */
export function comeBack({ inside: { link }, refresh }: ChannelsArea, first = FIRST): void {
  const { connection, signal } = link;
  let isAway = false;
  let isAsking = false;
  let pause = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    timer = setTimeout(ask, pause);
  };
  const ask = async () => {
    pause = Math.min(pause * 2, LONGEST);
    if (!document.hidden) {
      isAsking = true;
      // One that hangs is not waited for.
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
