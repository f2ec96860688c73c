import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { Failure } from '../../components/States.tsx';
import { useWords } from '../../i18n/lazy-messages.ts';
import { DialSkeleton } from '../dial/DialSkeleton.tsx';
import type { OperatorProps } from './OperatorSections.tsx';

/** Operator loader: renders the operators' page once its chunk and its translations are loaded. */
export function OperatorRoom(props: OperatorProps) {
  const worded = useWords('operator');
  const [door, setDoor] = useState<{ readonly Operator?: ComponentType<OperatorProps>; readonly message?: string }>({});
  const open = useCallback(() => {
    setDoor({});
    import('./OperatorSections.tsx').then(setDoor, (error: unknown) => setDoor({ message: String(error) }));
  }, []);
  useEffect(open, [open]);
  if (door.message !== undefined) return <Failure failed={{ message: door.message, status: null }} onRetry={open} />;
  return door.Operator !== undefined && worded ? <door.Operator {...props} /> : <DialSkeleton />;
}
