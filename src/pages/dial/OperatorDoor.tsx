import { useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import { DialSkeleton } from './DialStates.tsx';
import type { OperatorProps } from './operator/Operator.tsx';
import { useParts } from './use-parts.ts';

/** The operators' page, which few readers ever load. */
export function OperatorDoor(props: OperatorProps) {
  const { msg } = useMsg();
  const parts = useParts(true);
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
      {parts === null ? <DialSkeleton /> : <parts.OperatorRoom {...props} />}
    </div>
  );
}
