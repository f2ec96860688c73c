import { useServices } from '../services.ts';
import { useLazy } from '../use-lazy.ts';
import { useReadable } from '../use-readable.ts';

const loadText = () => import('./ConnectionText.tsx').then((part) => part.ConnectionText);

/** A quiet line that stands only while the reader is offline or something waits; its words come when there is something to say. */
export function ConnectionLine() {
  const { channels } = useServices();
  const connection = useReadable(channels.connection);
  const saving = useReadable(channels.saving);
  const told = connection !== 'online' || saving.type !== 'saved';
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
