import { useState } from 'react';
import { failureText } from '../../components/error-text.ts';
import { leavesFocusToHeading } from '../../components/focus/focus-successor.ts';
import { useServices } from '../../context/services.ts';
import type { Refused } from '../../data/model/types.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';

interface NotAcceptedProps {
  readonly className: string;
  readonly refused: Refused;
}

/** Rejected change: shows which change the server does not accept, and why, with the possible actions. */
export function NotAccepted({ className, refused }: NotAcceptedProps) {
  const m = useMsg();
  const { msg } = m;
  const { channels } = useServices();
  const [tries, setTries] = useState(0);
  const isLineup = refused.what === 'lineup';
  const send = () => void channels.refresh().then(() => setTries(tries + 1));
  return (
    <section ref={leavesFocusToHeading} className={`not-accepted ${className}`} aria-label={msg('Not saved')}>
      {/* The key creates the element again at each try, so that it is announced again. */}
      <p key={tries} role="alert">
        {whatText(m, refused.what)} {failureText(m, refused.status ?? 400)}
      </p>
      <div>
        <button type="button" className="button plain" onClick={refused.drop}>
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

function whatText({ msg }: Messages, what: Refused['what']): string {
  if (what === 'lineup') return msg('Your line-up is not saved.');
  return what === 'star' ? msg('A star is not saved.') : msg('A reading place is not saved.');
}
