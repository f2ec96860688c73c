import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { failureOf } from '../../channels/link.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/words.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import { Failure } from '../../ui/States.tsx';
import { DialSkeleton } from './DialStates.tsx';
import type { OperatorProps } from './operator/Operator.tsx';

type Door =
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly message: string; readonly status: number | null }
  | { readonly type: 'loaded'; readonly Operator: ComponentType<OperatorProps> };

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
  const [door, setDoor] = useState<Door>({ type: 'loading' });
  const open = useCallback(() => {
    setDoor({ type: 'loading' });
    import('./operator/Operator.tsx').then(
      ({ Operator }) => setDoor({ type: 'loaded', Operator }),
      (error: unknown) => setDoor({ ...failureOf(error), type: 'failed', status: null }),
    );
  }, []);
  useEffect(open, [open]);
  switch (door.type) {
    case 'loading':
      return <DialSkeleton />;
    case 'failed':
      return <Failure failed={door} onRetry={open} />;
    case 'loaded':
      return worded ? <door.Operator {...props} /> : <DialSkeleton />;
  }
}
