import { type Anchor, Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { isFree, readSingleKeys, useSingleKeys } from '../../hooks/use-single-key-shortcuts.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/lazy-messages.ts';
import { KeyList, type Keys } from '../shortcuts/KeyList.tsx';
import { SingleKeysSwitch } from '../shortcuts/SingleKeySwitch.tsx';
import { isOperating, placeOf } from './nav-items.ts';

interface KeysSheetProps {
  /** Address in the app. */
  readonly path: string;
  readonly anchor?: Anchor;
  readonly onClose: () => void;
}

/** Shortcuts sheet: the keys of the displayed page, and the switch that turns the single-character ones off. */
export function KeysSheet({ path, onClose, ...rest }: KeysSheetProps) {
  const m = useMsg();
  const { msg } = m;
  const worded = useWords('keys');
  const [on, setOn] = useSingleKeys();
  const hasPresets = useReadable(useServices().channels.presets).length > 0;
  const isDial = isOfDial(path);
  if (!worded) return null;
  return (
    <Sheet title={isDial ? msg('Keys of the dial') : msg('Keys of this page')} onClose={onClose} {...rest}>
      {isDial ? <KeyList /> : <KeyList keys={keysOf(m, path, hasPresets)} />}
      <SingleKeysSwitch on={on} setOn={setOn} />
    </Sheet>
  );
}

/**
 * Returns true if a press of `?` requests the keys of a page; the dial handles the key itself. `nodes` is the event path,
 * passed separately because the event may be over.
 */
export const asksForKeys = (event: KeyboardEvent, nodes: EventTarget[], path: string): boolean =>
  !isOfDial(path) && isFree(event, nodes) && readSingleKeys();

const isOfDial = (path: string): boolean => placeOf(path) === 'dial' && !isOperating(path);

function keysOf({ msg }: Messages, path: string, hasPresets: boolean): Keys {
  const isOfPosts = !isOperating(path) && placeOf(path) !== 'check';
  const preset: Keys = [[['P'], msg('Next preset')]];
  const ofPosts: Keys = [
    [['J', 'K'], msg('Next post, previous post')],
    [['Page Down', 'Page Up'], msg('Next post, previous post')],
    [['N'], msg('Next unread post')],
    [['O', 'Enter'], msg('Open the post')],
    [['V'], msg('Open in Telegram')],
    [['S'], msg('Star or unstar')],
    [['M'], msg('Read up to here, or this post unread')],
    [['/'], msg('Search')],
    ...(placeOf(path) === 'feed' && hasPresets ? preset : []),
  ];
  return [
    ...(isOfPosts ? ofPosts : []),
    [['Tab'], msg('Next button or link')],
    [['Esc'], msg('Close what is open')],
    [['?'], msg('These keys')],
  ];
}
