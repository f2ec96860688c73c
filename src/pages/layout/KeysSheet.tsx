import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { KeyList, type Keys } from '../../ui/KeyList.tsx';
import { type Anchor, Sheet } from '../../ui/Sheet.tsx';
import { SingleKeysSwitch } from '../SingleKeysSwitch.tsx';
import { useSingleKeys } from '../use-single-keys.ts';
import { placeOf } from './places.ts';

interface KeysSheetProps {
  /** The address in the app. */
  readonly path: string;
  readonly anchor?: Anchor;
  readonly onClose: () => void;
}

/** The keys of the page that is shown, and the switch that turns the single-character ones off. */
export function KeysSheet({ path, onClose, ...rest }: KeysSheetProps) {
  const m = useMsg();
  const { msg } = m;
  const [on, setOn] = useSingleKeys();
  const isDial = placeOf(path) === 'dial' && !isOperating(path);
  return (
    <Sheet title={isDial ? msg('Keys of the dial') : msg('Keys of this page')} onClose={onClose} {...rest}>
      {isDial ? <KeyList /> : <KeyList keys={keysOf(m, path)} />}
      <SingleKeysSwitch on={on} setOn={setOn} />
    </Sheet>
  );
}

/** Whether an address is of the operators' page, which is inside the dial and has none of its keys. */
export const isOperating = (path: string): boolean => /[?&]operator\b/.test(path);

function keysOf({ msg }: Messages, path: string): Keys {
  const isOfPosts = !isOperating(path) && placeOf(path) !== 'check';
  const ofPosts: Keys = [
    [['Page Down', 'Page Up'], msg('Next post, previous post')],
    [['/'], msg('Search')],
  ];
  return [
    ...(isOfPosts ? ofPosts : []),
    [['Tab'], msg('Next button or link')],
    [['Esc'], msg('Close what is open')],
    [['?'], msg('These keys')],
  ];
}
