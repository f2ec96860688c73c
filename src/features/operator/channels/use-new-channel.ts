import { useEffect, useRef, useState } from 'react';
import type { OperatorChannel, OperatorOverview } from '../../../../contract/operator.ts';

/** Interval of the requests for a new channel, ms. */
const POLL_INTERVAL_MS = 3000;
/** Time after which the requests end if no new channel has appeared, ms. */
const WAIT_TIMEOUT_MS = 120_000;

/**
 * Returns the channels to which the bot was added, including those that an operator has not accepted yet (`asking`).
 */
const channelsWithBot = ({ channels }: OperatorOverview): readonly OperatorChannel[] =>
  channels.filter(({ connection }) => connection?.status === 'connected' || connection?.status === 'asking');

/**
 * New channel: waits until the bot is in a channel in which it was not at the first render. Calls `reload` regularly
 * while `isWaiting` is true and there is no such channel. `isTimedOut` is true if none appeared within two minutes;
 * `restart` begins another two minutes.
 */
export function useNewChannel(overview: OperatorOverview, isWaiting: boolean, reload: () => Promise<unknown>) {
  const initialIds = useRef(new Set(channelsWithBot(overview).map(({ channel }) => channel.id)));
  const [isTimedOut, setTimedOut] = useState(false);
  const newChannel = channelsWithBot(overview).find(({ channel }) => !initialIds.current.has(channel.id));
  const isPolling = isWaiting && !isTimedOut && newChannel === undefined;
  useEffect(() => {
    if (!isPolling) return;
    const pollTimer = setInterval(() => void reload(), POLL_INTERVAL_MS);
    const timeout = setTimeout(() => setTimedOut(true), WAIT_TIMEOUT_MS);
    return () => {
      clearInterval(pollTimer);
      clearTimeout(timeout);
    };
  }, [isPolling, reload]);
  return { newChannel, isTimedOut, restart: () => setTimedOut(false) };
}
