import { useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useAboveTabs } from '../layout/use-above-tabs.ts';
import { useServices } from '../services.ts';
import { useStyle } from '../use-style.ts';
import style from './session-ended.css';

/** Says that the reader's session has ended and that nothing is lost, and offers to sign in. */
export function SessionEnded() {
  const { msg } = useMsg();
  const { site } = useServices();
  const element = useStyle(style);
  const [dismissed, dismiss] = useState(false);
  const worded = useWords('account');
  useAboveTabs(element);
  return (
    <div ref={element} role="status">
      {worded && !dismissed && (
        <p className="offer">
          <span className="spring">{msg('Your session has ended. What you do is kept on this device until you sign in.')}</span>
          {site.botApp === null ? (
            <button type="button" onClick={() => void site.signIn?.()}>
              {msg('Sign in')}
            </button>
          ) : (
            // Launch data that the server refused will not do: Telegram gives new ones.
            <a href={site.botApp}>{msg('Sign in')}</a>
          )}
          <button type="button" className="icon-button" aria-label={msg('Not now')} onClick={() => dismiss(true)}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
