import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/Icon.tsx';
import { leavesFocusToPage } from '../layout/leaves-focus.ts';
import { useAboveTabs } from '../layout/use-above-tabs.ts';
import { useServices } from '../services.ts';
import { useStyle } from '../use-style.ts';
import style from './session-ended.css';

/** Notice that the reader's session has ended, that nothing is lost, and how to sign in: with new launch data from Telegram. */
export function SessionEnded({ onDismiss }: { readonly onDismiss: () => void }) {
  const { msg } = useMsg();
  const { site } = useServices();
  const element = useStyle(style);
  const worded = useWords('account');
  useAboveTabs(element);
  return (
    <div ref={element} role="status">
      {worded && (
        <p className="offer">
          <span className="spring">
            {msg('Your session has ended. What you do is kept on this device until you sign in.')}
            {site.botApp === null && ` ${msg('Open the app again in Telegram.')}`}
          </span>
          {site.botApp !== null && <a href={site.botApp}>{msg('Sign in')}</a>}
          <button ref={leavesFocusToPage} type="button" className="icon-button" aria-label={msg('Not now')} onClick={onDismiss}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
