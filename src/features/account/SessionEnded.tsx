import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { pageFocusSuccessor } from '../layout/focus-page.ts';
import { useAboveTabs } from '../layout/UpdatePrompt.tsx';
import style from './session-ended.css';

/**
 * Session ended: notice that the session has ended, that no change is lost, and how to sign in again, with new launch data
 * from Telegram.
 */
export function SessionEnded({ onDismiss }: { readonly onDismiss: () => void }) {
  const { msg } = useMsg();
  const { environment } = useServices();
  const element = useStylesheet(style);
  const hasMessages = useAreaMessages('account');
  useAboveTabs(element);
  return (
    <div ref={element} role="status">
      {hasMessages && (
        <p className="offer">
          <span className="spring">
            {msg('Your session has ended. Your changes are saved on this device until you sign in.')}
            {environment.botApp === null && ` ${msg('Open the app again in Telegram.')}`}
          </span>
          {environment.botApp !== null && <a href={environment.botApp}>{msg('Sign in')}</a>}
          <button ref={pageFocusSuccessor} type="button" className="icon-button" aria-label={msg('Not now')} onClick={onDismiss}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
