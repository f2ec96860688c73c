import { useMsg } from '../../../i18n/i18n.ts';
import { KeyList } from '../../../ui/KeyList.tsx';
import { Sheet } from '../../../ui/Sheet.tsx';

interface HelpSheetProps {
  readonly singleKeys: boolean;
  readonly setSingleKeys: (on: boolean) => void;
  readonly onClose: () => void;
}

/** All keys of the dial, and the switch that turns the single-character ones off. */
export function HelpSheet({ singleKeys, setSingleKeys, onClose }: HelpSheetProps) {
  const { msg } = useMsg();
  return (
    <Sheet title={msg('Keys of the dial')} onClose={onClose}>
      <KeyList />
      <label className="help-switch">
        <span>
          {msg('Single keys')}
          <small>{msg('Digits and letters. Arrows, Page Up and Page Down always work.')}</small>
        </span>
        <input
          type="checkbox"
          role="switch"
          className="switch"
          checked={singleKeys}
          aria-checked={singleKeys}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
      </label>
    </Sheet>
  );
}
