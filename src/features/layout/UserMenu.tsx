import { useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Outline } from '../../components/icons/Icon.tsx';
import { SAVE_OUTLINE } from '../../components/icons/shared-paths.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { type Anchor, Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { languageName } from '../../i18n/language-name.ts';
import { LOCALES } from '../../i18n/locale.ts';
import { SavedChannelsSheet } from '../saved-channels/SavedChannelsSheet.tsx';
import { connectionText } from '../sync-status/connection-text.tsx';
import { PrivacyLink } from './PrivacyLink.tsx';
import { ShortcutsSheet } from './ShortcutsSheet.tsx';
import { readerName } from './UserButton.tsx';
import { useHomeScreen } from './use-home-screen.ts';

const loadAppearanceSheet = () => import('../appearance/AppearanceSheet.tsx').then((part) => part.AppearanceSheet);
const loadAccountSheet = () => import('../account/AccountSheet.tsx').then((part) => part.AccountSheet);

interface UserMenuProps {
  /** Address in the app. */
  readonly path: string;
  readonly anchor?: Anchor;
  readonly onClose: () => void;
}

/** User menu: language, appearance, keys, sign-in, account, stored data, and unsaved changes. */
export function UserMenu({ path, onClose, ...sheetProps }: UserMenuProps) {
  const m = useMsg();
  const { msg } = m;
  const { dataClient, environment } = useServices();
  const reader = useSignalValue(dataClient.session);
  const home = useHomeScreen();
  const [keys, setKeys] = useState(false);
  const [saved, setSaved] = useState(false);
  const [isAppearanceOpen, setAppearanceOpen] = useState(false);
  const AppearanceSheet = useLazyComponent(loadAppearanceSheet, isAppearanceOpen);
  const [account, setAccount] = useState(false);
  const AccountSheet = useLazyComponent(loadAccountSheet, account);
  const state = connectionText(m, useSignalValue(dataClient.connectivity), useSignalValue(dataClient.syncStatus));
  if (keys) return <ShortcutsSheet path={path} onClose={onClose} {...sheetProps} />;
  if (saved) return <SavedChannelsSheet target={null} onClose={onClose} />;
  if (isAppearanceOpen && AppearanceSheet !== null && environment.appearance !== undefined)
    return <AppearanceSheet appearance={environment.appearance} onClose={onClose} />;
  if (account && AccountSheet !== null) return <AccountSheet onClose={onClose} />;
  return (
    <Sheet title={readerName(m, reader)} onClose={onClose} {...sheetProps}>
      <p className="reader-kept">
        {reader.type === 'signed-in'
          ? msg('Your line-up, stars and reading places are kept in your account and on this device.')
          : msg('Your line-up, stars and reading places are kept on this device only.')}
      </p>
      <p className={state === null ? 'reader-state' : 'reader-state waiting'}>
        <AnyIcon name={state === null ? 'check' : 'refresh'} />
        {state ?? msg('Everything is saved.')}
      </p>
      {environment.setLocale !== undefined && <LanguageChoice choose={environment.setLocale} />}
      <div className="sheet-rows reader-links">
        {environment.appearance !== undefined && (
          <button type="button" onClick={() => setAppearanceOpen(true)}>
            <AnyIcon name="look" />
            {msg('Appearance')}
          </button>
        )}
        {reader.type === 'signed-in' && environment.httpClient !== undefined && (
          <button type="button" onClick={() => setAccount(true)}>
            <AnyIcon name="person" />
            {msg('Your account')}
          </button>
        )}
        <a href={`${environment.baseUrl}/test`} onClick={onClose}>
          <AnyIcon name="check" />
          {msg('Check this app')}
        </a>
        <button type="button" onClick={() => setSaved(true)}>
          <Outline path={SAVE_OUTLINE} />
          {msg('Saved for offline')}
        </button>
        <button type="button" className="reader-keys" onClick={() => setKeys(true)}>
          <AnyIcon name="keys" />
          {msg('Keys of this page')}
        </button>
        {home !== null && home.way === 'asked' && (
          <button
            type="button"
            onClick={() => {
              onClose();
              home.add();
            }}
          >
            <AnyIcon name="plus" />
            {msg('Add to the home screen')}
          </button>
        )}
        <PrivacyLink label={msg('What is kept of you')} />
        {reader.type === 'anonymous' && environment.botApp !== null && (
          <a href={environment.botApp}>
            <AnyIcon name="out" />
            {msg('Open in Telegram, to have it everywhere')}
          </a>
        )}
        {reader.type !== 'anonymous' && environment.signOut !== undefined && (
          <SignOut signOut={environment.signOut} onDone={onClose} />
        )}
      </div>
    </Sheet>
  );
}

function LanguageChoice({ choose }: { readonly choose: (locale: string) => void }) {
  const { locale, msg } = useMsg();
  const { host } = useServices();
  const pick = (locale: string) => {
    host.haptic('selection');
    choose(locale);
  };
  const options = LOCALES.map((locale) => ({ value: locale, label: languageName(locale), lang: locale }));
  return <SegmentedControl legend={msg('Language')} options={options} chosen={locale} choose={pick} />;
}

function SignOut({ signOut, onDone }: { readonly signOut: () => Promise<void>; readonly onDone: () => void }) {
  const { msg } = useMsg();
  return (
    <button type="button" onClick={() => void signOut().then(onDone)}>
      <AnyIcon name="leave" />
      {msg('Sign out')}
    </button>
  );
}
