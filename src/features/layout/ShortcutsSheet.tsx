import { type Anchor, Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { isShortcutEvent, readSingleKeyShortcuts, useSingleKeyShortcuts } from '../../hooks/use-single-key-shortcuts.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { KeyList, type Shortcuts } from '../shortcuts/KeyList.tsx';
import { SingleKeySwitch } from '../shortcuts/SingleKeySwitch.tsx';
import { isOperatorPage, navItemOf } from './nav-items.ts';

interface ShortcutsSheetProps {
  /** Path of the displayed page in the app. */
  readonly path: string;
  readonly anchor?: Anchor;
  readonly onClose: () => void;
}

/** Shortcuts sheet: the keys of the displayed page, and the switch that turns the single-character ones off. */
export function ShortcutsSheet({ path, onClose, ...sheetProps }: ShortcutsSheetProps) {
  const m = useMsg();
  const { msg } = m;
  const hasMessages = useAreaMessages('keys');
  const [isEnabled, setEnabled] = useSingleKeyShortcuts();
  const hasPresets = useSignalValue(useServices().dataClient.presets).length > 0;
  const isDial = isDialPage(path);
  if (!hasMessages) return null;
  return (
    <Sheet title={isDial ? msg('Dial shortcuts') : msg('Shortcuts on this page')} onClose={onClose} {...sheetProps}>
      {isDial ? <KeyList /> : <KeyList keys={shortcutsOf(m, path, hasPresets)} />}
      <SingleKeySwitch on={isEnabled} setOn={setEnabled} />
    </Sheet>
  );
}

/**
 * Returns true if a press of `?` requests the shortcuts of a page; the dial handles the key itself. `nodes` is the
 * event path, a separate argument because an event has no path after its dispatch.
 */
export const isShortcutsRequest = (event: KeyboardEvent, nodes: EventTarget[], path: string): boolean =>
  !isDialPage(path) && isShortcutEvent(event, nodes) && readSingleKeyShortcuts();

const isDialPage = (path: string): boolean => navItemOf(path) === 'dial' && !isOperatorPage(path);

/** Returns the shortcuts of a page other than the dial. */
function shortcutsOf({ msg }: Messages, path: string, hasPresets: boolean): Shortcuts {
  const hasPosts = !isOperatorPage(path) && navItemOf(path) !== 'check';
  const presetShortcuts: Shortcuts = [[['P'], msg('Next preset')]];
  const postShortcuts: Shortcuts = [
    [['J', 'K'], msg('Next post, previous post')],
    [['Page Down', 'Page Up'], msg('Next post, previous post')],
    [['N'], msg('Next unread post')],
    [['O', 'Enter'], msg('Open the post')],
    [['V'], msg('Open in Telegram')],
    [['S'], msg('Star or unstar')],
    [['M'], msg('Read up to here, or this post unread')],
    [['/'], msg('Search')],
    ...(navItemOf(path) === 'feed' && hasPresets ? presetShortcuts : []),
  ];
  return [
    ...(hasPosts ? postShortcuts : []),
    [['Tab'], msg('Next button or link')],
    [['Esc'], msg('Close what is open')],
    [['?'], msg('Show these shortcuts')],
  ];
}
