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
export function RejectedChangeNotice({ className, rejected }: RejectedChangeNoticeProps) {
  const m = useMsg();
  const { msg } = m;
  const { dataClient } = useServices();
  const [attempts, setAttempts] = useState(0);
  const isLineup = rejected.changeType === 'lineup';
  const retry = () => void dataClient.refresh().then(() => setAttempts(attempts + 1));
  return (
    <section ref={headingFocusSuccessor} className={`not-accepted ${className}`} aria-label={msg('Not saved')}>
      {/* The key creates the element again at each attempt, so that it is announced again. */}
      <p key={attempts} role="alert">
        {rejectedText(m, rejected.changeType)} {failureText(m, rejected.status ?? 400)}
      </p>
      <div>
        <button type="button" className="button plain" onClick={rejected.discard}>
          {isLineup ? msg('Discard my changes') : msg('OK')}
        </button>
        {isLineup && (
          <button type="button" className="button" onClick={retry}>
            {msg('Try again')}
          </button>
        )}
      </div>
    </section>
  );
}

function rejectedText({ msg }: Messages, changeType: RejectedChange['changeType']): string {
  if (changeType === 'lineup') return msg('Your line-up is not saved.');
  return changeType === 'star' ? msg('A star is not saved.') : msg('A reading position is not saved.');
}
