import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';

const loadConnectionText = () => import('./connection-text.tsx').then((module) => module.ConnectionText);

/**
 * Time for which changes must have waited before the line shows them, ms: changes that are sent at once would make it
 * flicker.
 */
const WAIT_DELAY_MS = 2000;

/**
 * Connection line: shown only while the reader is offline or changes wait. Its texts load when there is something to
 * show.
 */
export function ConnectionLine() {
  const { dataClient } = useServices();
  const connectivity = useSignalValue(dataClient.connectivity);
  const syncStatus = useSignalValue(dataClient.syncStatus);
  const isDelayed = useIsDelayed(syncStatus.type === 'waiting');
  const isShown = connectivity !== 'online' || isDelayed || syncStatus.type === 'rejected';
  const Text = useLazyComponent(loadConnectionText, isShown);
  return (
    <div role="status">
      {isShown && Text !== null && (
        <p className="connection">
          <Text />
        </p>
      )}
    </div>
  );
}

/** Returns true if changes have waited for WAIT_DELAY_MS. */
function useIsDelayed(isWaiting: boolean): boolean {
  const [isDelayed, setIsDelayed] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setIsDelayed(false);
    const timer = setTimeout(() => setIsDelayed(true), WAIT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  // `isWaiting` makes it false at once; the state follows only after an effect.
  return isWaiting && isDelayed;
}
