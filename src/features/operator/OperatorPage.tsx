import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useMsg } from '../../i18n/i18n.ts';
import { OperatorLoader } from './OperatorLoader.tsx';
import type { OperatorPageProps } from './OperatorSections.tsx';

/** Operator page: the header, and the content from a chunk that only few readers load. */
export function OperatorPage(props: OperatorPageProps) {
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
      <OperatorLoader {...props} />
    </div>
  );
}
