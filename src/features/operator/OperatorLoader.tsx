import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { ErrorState } from '../../components/States.tsx';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { DialSkeleton } from '../dial/DialSkeleton.tsx';
import type { OperatorPageProps } from './OperatorSections.tsx';

/** Operator loader: renders the operators' page once its chunk and its translations are loaded. */
export function OperatorLoader(props: OperatorPageProps) {
  const hasMessages = useAreaMessages('operator');
  const [chunk, setDoor] = useState<{ readonly OperatorSections?: ComponentType<OperatorPageProps>; readonly message?: string }>(
    {},
  );
  const open = useCallback(() => {
    setDoor({});
    import('./OperatorSections.tsx').then(setDoor, (error: unknown) => setDoor({ message: String(error) }));
  }, []);
  useEffect(open, [open]);
  if (chunk.message !== undefined) return <ErrorState failure={{ message: chunk.message, status: null }} onRetry={open} />;
  return chunk.OperatorSections !== undefined && hasMessages ? <chunk.OperatorSections {...props} /> : <DialSkeleton />;
}
