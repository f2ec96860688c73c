import { useState } from 'react';
import { AnyIcon, type AnyIconName } from '../../components/icons/AnyIcon.tsx';
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

const loadAppearanceSheet = () => import('../appearance/AppearanceSheet.tsx').then((module) => module.AppearanceSheet);
const loadAccountSheet = () => import('../account/AccountSheet.tsx').then((module) => module.AccountSheet);

interface UserMenuProps {
  /** Path of the displayed page in the app. */
  readonly path: string;
  readonly anchor?: Anchor;
  readonly onClose: () => void;
}

/** User menu: language, appearance, notifications, keys, sign-in, account, stored data, and unsaved changes. */
export function UserMenu({ path, onClose, ...sheetProps }: UserMenuProps) {
  const m = useMsg();
  const { dataClient, environment } = useServices();
  const session = useSignalValue(dataClient.session);
  const [areKeysOpen, setKeysOpen] = useState(false);
  const [areSavedOpen, setSavedOpen] = useState(false);
  const [isAppearanceOpen, setAppearanceOpen] = useState(false);
  const AppearanceSheet = useLazyComponent(loadAppearanceSheet, isAppearanceOpen);
  const [isAccountOpen, setAccountOpen] = useState(false);
  const AccountSheet = useLazyComponent(loadAccountSheet, isAccountOpen);
  if (areKeysOpen) return <ShortcutsSheet path={path} onClose={onClose} {...sheetProps} />;
  if (areSavedOpen) return <SavedChannelsSheet target={null} onClose={onClose} />;
  if (isAppearanceOpen && AppearanceSheet !== null && environment.appearance !== undefined)
    return <AppearanceSheet appearance={environment.appearance} onClose={onClose} />;
  if (isAccountOpen && AccountSheet !== null) return <AccountSheet onClose={onClose} />;
  return (
    <Sheet title={readerName(m, session)} onClose={onClose} {...sheetProps}>
      <StorageStatus />
      {environment.setLocale !== undefined && <LanguageChoice choose={environment.setLocale} />}
      <MenuLinks
        onAppearance={() => setAppearanceOpen(true)}
        onAccount={() => setAccountOpen(true)}
        onSaved={() => setSavedOpen(true)}
        onKeys={() => setKeysOpen(true)}
        onClose={onClose}
      />
    </Sheet>
  );
}

/** Shows the storage of the reader's data, and the changes that are not saved yet. */
function StorageStatus() {
  const m = useMsg();
  const { msg } = m;
  const { dataClient } = useServices();
  const session = useSignalValue(dataClient.session);
  const statusText = connectionText(m, useSignalValue(dataClient.connectivity), useSignalValue(dataClient.syncStatus));
  return (
    <>
      <p className="reader-kept">
        {session.type === 'signed-in'
          ? msg('Your line-up, stars and reading positions are saved in your account and on this device.')
          : msg('Your line-up, stars and reading positions are saved on this device only.')}
      </p>
      <p className={statusText === null ? 'reader-state' : 'reader-state waiting'}>
        <AnyIcon name={statusText === null ? 'check' : 'refresh'} />
        {statusText ?? msg('Everything is saved.')}
      </p>
    </>
  );
}

interface MenuLinksProps {
  readonly onAppearance: () => void;
  readonly onAccount: () => void;
  /** Called for the channels that are saved for offline reading. */
  readonly onSaved: () => void;
  /** Called for the keyboard shortcuts. */
  readonly onKeys: () => void;
  readonly onClose: () => void;
}

/** Links and buttons of the menu. Some are shown only to some readers, or only where the container supports them. */
function MenuLinks({ onAppearance, onAccount, onSaved, onKeys, onClose }: MenuLinksProps) {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const session = useSignalValue(dataClient.session);
  const homeScreen = useHomeScreen();
  return (
    <div className="sheet-rows reader-links">
      {environment.appearance !== undefined && <MenuButton icon="look" label={msg('Appearance')} onPress={onAppearance} />}
      {session.type === 'signed-in' && environment.httpClient !== undefined && (
        <MenuButton icon="person" label={msg('Your account')} onPress={onAccount} />
      )}
      {environment.httpClient !== undefined && (
        <a href={`${environment.baseUrl}/notifications`} onClick={onClose}>
          <AnyIcon name="bell" />
          {msg('Notifications')}
        </a>
      )}
      <a href={`${environment.baseUrl}/test`} onClick={onClose}>
        <AnyIcon name="check" />
        {msg('Check this app')}
      </a>
      <button type="button" onClick={onSaved}>
        <Outline path={SAVE_OUTLINE} />
        {msg('Saved for offline')}
      </button>
      <button type="button" className="reader-keys" onClick={onKeys}>
        <AnyIcon name="keys" />
        {msg('Shortcuts on this page')}
      </button>
      {homeScreen !== null && homeScreen.way === 'asked' && (
        <MenuButton
          icon="plus"
          label={msg('Add to the home screen')}
          onPress={() => {
            onClose();
            homeScreen.add();
          }}
        />
      )}
      <PrivacyLink label={msg('What is stored about you')} />
      {session.type === 'anonymous' && environment.botApp !== null && (
        <a href={environment.botApp}>
          <AnyIcon name="out" />
          {msg('Open in Telegram to sync your devices')}
        </a>
      )}
      {session.type !== 'anonymous' && environment.signOut !== undefined && (
        <SignOut signOut={environment.signOut} onDone={onClose} />
      )}
    </div>
  );
}

interface MenuButtonProps {
  readonly icon: AnyIconName;
  readonly label: string;
  readonly onPress: () => void;
}

const MenuButton = ({ icon, label, onPress }: MenuButtonProps) => (
  <button type="button" onClick={onPress}>
    <AnyIcon name={icon} />
    {label}
  </button>
);

function LanguageChoice({ choose }: { readonly choose: (locale: string) => void }) {
  const { locale, msg } = useMsg();
  const { host } = useServices();
  const onChoose = (chosenLocale: string) => {
    host.haptic('selection');
    choose(chosenLocale);
  };
  const options = LOCALES.map((locale) => ({ value: locale, label: languageName(locale), lang: locale }));
  return <SegmentedControl legend={msg('Language')} options={options} chosen={locale} choose={onChoose} />;
}

function SignOut({ signOut, onDone }: { readonly signOut: () => Promise<void>; readonly onDone: () => void }) {
  const { msg } = useMsg();
  return <MenuButton icon="leave" label={msg('Sign out')} onPress={() => void signOut().then(onDone)} />;
}
