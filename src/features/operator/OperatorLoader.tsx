import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { ErrorState } from '../../components/States.tsx';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { DialSkeleton } from '../dial/DialSkeleton.tsx';
import type { OperatorPageProps } from './OperatorSections.tsx';

/** The loaded chunk, or the error message of a failed load; empty while it loads. */
interface LoadResult {
  readonly OperatorSections?: ComponentType<OperatorPageProps>;
  readonly message?: string;
}

/** Operator loader: renders the operators' page once its chunk and its translations are loaded. */
export function OperatorLoader(props: OperatorPageProps) {
  const hasMessages = useAreaMessages('operator');
  const [loaded, setLoaded] = useState<LoadResult>({});
  const load = useCallback(() => {
    setLoaded({});
    import('./OperatorSections.tsx').then(setLoaded, (error: unknown) => setLoaded({ message: String(error) }));
  }, []);
  useEffect(load, [load]);
  if (loaded.message !== undefined) return <ErrorState failure={{ message: loaded.message, status: null }} onRetry={load} />;
  return loaded.OperatorSections !== undefined && hasMessages ? <loaded.OperatorSections {...props} /> : <DialSkeleton />;
}
