import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';

const loadText = () => import('./connection-text.tsx').then((part) => part.ConnectionText);

/** A quiet line that stands only while the reader is offline or something waits; its words come when there is something to say. */
export function ConnectionLine() {
  const { channels } = useServices();
  const connection = useReadable(channels.connection);
  const saving = useReadable(channels.saving);
  const held = useHeld(saving.type === 'waiting');
  const told = connection !== 'online' || held || saving.type === 'refused';
  const Text = useLazy(loadText, told);
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

/** Whether it has been so for a while: what is sent at once is not worth a line that comes and goes. */
function useHeld(waiting: boolean): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!waiting) return setHeld(false);
    const timer = setTimeout(() => setHeld(true), 2000);
    return () => clearTimeout(timer);
  }, [waiting]);
  // No longer from the moment it is not: the line has nothing more to say.
  return waiting && held;
}
