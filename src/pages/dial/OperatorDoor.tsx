import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/words.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import { Failure } from '../../ui/States.tsx';
import { DialSkeleton } from './DialStates.tsx';
import type { OperatorProps } from './operator/Operator.tsx';

/** The operators' page, which few readers ever load. */
export function OperatorDoor(props: OperatorProps) {
  const { msg } = useMsg();
  return (
    <div className="dial-page operating">
      <header className="top">
        <div className="bar">
          <a className="icon-button back" href="/changer" aria-label={msg('Back to the dial')}>
            <AnyIcon name="previous" />
          </a>
          <h1>{msg('Operator')}</h1>
        </div>
      </header>
      <Inside {...props} />
    </div>
  );
}

function Inside(props: OperatorProps) {
  const worded = useWords('operator');
  const [door, setDoor] = useState<{ readonly Operator?: ComponentType<OperatorProps>; readonly message?: string }>({});
  const open = useCallback(() => {
    setDoor({});
    import('./operator/Operator.tsx').then(setDoor, (error: unknown) => setDoor({ message: String(error) }));
  }, []);
  useEffect(open, [open]);
  if (door.message !== undefined) return <Failure failed={{ message: door.message, status: null }} onRetry={open} />;
  return door.Operator !== undefined && worded ? <door.Operator {...props} /> : <DialSkeleton />;
}
