import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';

const loadConnectionText = () => import('./connection-text.tsx').then((module) => module.ConnectionText);

/** Connection line: shown only while the reader is offline or changes wait. Its texts load when there is something to show. */
export function ConnectionLine() {
  const { dataClient } = useServices();
  const connection = useSignalValue(dataClient.connectivity);
  const syncStatus = useSignalValue(dataClient.syncStatus);
  const isDelayed = useIsDelayed(syncStatus.type === 'waiting');
  const isShown = connection !== 'online' || isDelayed || syncStatus.type === 'refused';
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

/** Returns true if changes have waited for 2 s: a line for changes that are sent at once would only flicker. */
function useIsDelayed(isWaiting: boolean): boolean {
  const [isDelayed, setIsDelayed] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setIsDelayed(false);
    const timer = setTimeout(() => setIsDelayed(true), 2000);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  // False as soon as nothing waits, without another render.
  return isWaiting && isDelayed;
}
