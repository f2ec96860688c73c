import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';

const loadConnectionText = () => import('./connection-text.tsx').then((part) => part.ConnectionText);

/** Connection line: shown only while the reader is offline or changes wait. Its texts load when there is something to show. */
export function ConnectionLine() {
  const { dataClient: channels } = useServices();
  const connection = useSignalValue(channels.connectivity);
  const saving = useSignalValue(channels.syncStatus);
  const held = useIsDelayed(saving.type === 'waiting');
  const told = connection !== 'online' || held || saving.type === 'refused';
  const Text = useLazyComponent(loadConnectionText, told);
  return (
    <div role="status">
      {told && Text !== null && (
        <p className="connection">
          <Text />
        </p>
      )}
    </div>
  );
}

/** Returns true if changes have waited for 2 s: a line for changes that are sent at once would only flicker. */
function useIsDelayed(waiting: boolean): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!waiting) return setHeld(false);
    const timer = setTimeout(() => setHeld(true), 2000);
    return () => clearTimeout(timer);
  }, [waiting]);
  // False as soon as nothing waits, without another render.
  return waiting && held;
}
