import { Sheet } from '../../components/Sheet.tsx';
import { useMsg } from '../../i18n/i18n.ts';
import { KeyList } from '../shortcuts/KeyList.tsx';
import { SingleKeySwitch } from '../shortcuts/SingleKeySwitch.tsx';

interface HelpSheetProps {
  readonly singleKeys: boolean;
  readonly setSingleKeys: (on: boolean) => void;
  readonly onClose: () => void;
}

/** Help sheet: all keyboard shortcuts of the dial, and the switch that turns the single-character ones off. */
export function HelpSheet({ singleKeys, setSingleKeys, onClose }: HelpSheetProps) {
  const { msg } = useMsg();
  return (
    <Sheet title={msg('Dial shortcuts')} onClose={onClose}>
      <KeyList />
      <SingleKeySwitch on={singleKeys} setOn={setSingleKeys} />
    </Sheet>
  );
}
