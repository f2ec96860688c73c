import { useEffect, useRef, useState } from 'react';
import type { OperatorChannel, OperatorOverview } from '../../../../contract/operator.ts';

/** Interval and maximum time, in ms, of the requests for a channel that was just chosen. */
const POLL_INTERVAL_MS = 3000;
const WAIT_TIMEOUT_MS = 120_000;

const connectedChannels = ({ channels }: OperatorOverview): readonly OperatorChannel[] =>
  channels.filter(({ connection }) => connection?.status === 'connected' || connection?.status === 'asking');

/**
 * Waits for a channel that was not connected at the start; `late` is true if none arrived within two minutes. `again` restarts
 * the wait.
 */
export function useNewChannel(overview: OperatorOverview, waiting: boolean, reload: () => Promise<unknown>) {
  const before = useRef(new Set(connectedChannels(overview).map(({ channel }) => channel.id)));
  const [late, setLate] = useState(false);
  const newcomer = connectedChannels(overview).find(({ channel }) => !before.current.has(channel.id));
  const looking = waiting && !late && newcomer === undefined;
  useEffect(() => {
    if (!looking) return;
    const timer = setInterval(() => void reload(), POLL_INTERVAL_MS);
    const end = setTimeout(() => setLate(true), WAIT_TIMEOUT_MS);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [looking, reload]);
  return { newcomer, late, again: () => setLate(false) };
}
