import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { ErrorState } from '../../components/States.tsx';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { DialSkeleton } from '../dial/DialSkeleton.tsx';
import type { OperatorPageProps } from './OperatorSections.tsx';

/** Operator loader: renders the operators' page once its chunk and its translations are loaded. */
export function OperatorLoader(props: OperatorPageProps) {
  const worded = useAreaMessages('operator');
  const [door, setDoor] = useState<{ readonly OperatorSections?: ComponentType<OperatorPageProps>; readonly message?: string }>(
    {},
  );
  const open = useCallback(() => {
    setDoor({});
    import('./OperatorSections.tsx').then(setDoor, (error: unknown) => setDoor({ message: String(error) }));
  }, []);
  useEffect(open, [open]);
  if (door.message !== undefined) return <ErrorState failure={{ message: door.message, status: null }} onRetry={open} />;
  return door.OperatorSections !== undefined && worded ? <door.OperatorSections {...props} /> : <DialSkeleton />;
}
