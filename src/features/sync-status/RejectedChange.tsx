import { useState } from 'react';
import { failureText } from '../../components/error-text.ts';
import { headingFocusSuccessor } from '../../components/focus/focus-successor.ts';
import { useServices } from '../../context/services.ts';
import type { RejectedChange } from '../../data/model/types.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';

interface RejectedChangeNoticeProps {
  readonly className: string;
  readonly rejected: RejectedChange;
}

/** Rejected change: shows which change the server does not accept, and why, with the possible actions. */
export function RejectedChangeNotice({ className, rejected: refused }: RejectedChangeNoticeProps) {
  const m = useMsg();
  const { msg } = m;
  const { dataClient: channels } = useServices();
  const [tries, setTries] = useState(0);
  const isLineup = refused.changeType === 'lineup';
  const send = () => void channels.refresh().then(() => setTries(tries + 1));
  return (
    <section ref={headingFocusSuccessor} className={`not-accepted ${className}`} aria-label={msg('Not saved')}>
      {/* The key creates the element again at each try, so that it is announced again. */}
      <p key={tries} role="alert">
        {rejectedText(m, refused.changeType)} {failureText(m, refused.status ?? 400)}
      </p>
      <div>
        <button type="button" className="button plain" onClick={refused.discard}>
          {isLineup ? msg('Drop my changes') : msg('OK')}
        </button>
        {isLineup && (
          <button type="button" className="button" onClick={send}>
            {msg('Try again')}
          </button>
        )}
      </div>
    </section>
  );
}

function rejectedText({ msg }: Messages, what: RejectedChange['changeType']): string {
  if (what === 'lineup') return msg('Your line-up is not saved.');
  return what === 'star' ? msg('A star is not saved.') : msg('A reading place is not saved.');
}
