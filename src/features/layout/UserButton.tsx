import { Icon, Outline } from '../../components/icons/Icon.tsx';
import { SETTINGS_OUTLINE } from '../../components/icons/shared-paths.ts';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import type { SessionState } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';

/** Returns the reader's display name, once signed in. */
export const readerName = ({ msg }: Messages, reader: SessionState): string =>
  reader.type === 'signed-in' ? reader.user.name : msg('Not signed in');

/** User button: opens the user menu from the bottom of the sidebar. */
export function UserButton({ onReader }: { readonly onReader: (anchor: Anchor) => void }) {
  const m = useMsg();
  const reader = useSignalValue(useServices().dataClient.session);
  return (
    <button
      type="button"
      className="reader-button"
      aria-haspopup="dialog"
      onClick={(event) => onReader(event.currentTarget.getBoundingClientRect())}
    >
      <Icon name="person" />
      <bdi className="reader-name">{readerName(m, reader)}</bdi>
      <span className="hidden">{m.msg('Settings')}</span>
      <Outline path={SETTINGS_OUTLINE} />
    </button>
  );
}
