import { Icon, Outline } from '../../components/icons/Icon.tsx';
import { SETTINGS_OUTLINE } from '../../components/icons/shared-paths.ts';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import type { SessionState } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';

/** Returns the reader's display name, or a text that the reader is not signed in. */
export const readerName = ({ msg }: Messages, session: SessionState): string =>
  session.type === 'signed-in' ? session.user.name : msg('Not signed in');

/** User button: opens the user menu from the bottom of the sidebar. */
export function UserButton({ onReader }: { readonly onReader: (anchor: Anchor) => void }) {
  const m = useMsg();
  const session = useSignalValue(useServices().dataClient.session);
  return (
    <button
      type="button"
      className="reader-button"
      aria-haspopup="dialog"
      onClick={(event) => onReader(event.currentTarget.getBoundingClientRect())}
    >
      <Icon name="person" />
      <bdi className="reader-name">{readerName(m, session)}</bdi>
      <span className="hidden">{m.msg('Settings')}</span>
      <Outline path={SETTINGS_OUTLINE} />
    </button>
  );
}
