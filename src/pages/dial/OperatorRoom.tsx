import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { useWords } from '../../i18n/words.ts';
import { Failure } from '../../ui/States.tsx';
import { DialSkeleton } from './DialStates.tsx';
import type { OperatorProps } from './operator/Operator.tsx';

/** What is behind the operators' door, once it and its words have come. */
export function OperatorRoom(props: OperatorProps) {
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
