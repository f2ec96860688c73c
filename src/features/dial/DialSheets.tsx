import type { Anchor } from '../../components/Sheet.tsx';
import styles from '../../components/styles/menu.css';
import type { LineupRow } from '../../data/model/types.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { MutedWordsSheet } from '../lineup/MutedWordsSheet.tsx';
import { RowMenu } from '../lineup/RowMenu.tsx';
import type { RowActions } from '../lineup/row-actions.ts';
import { ChannelNotificationsSheet } from '../notifications/ChannelNotificationsSheet.tsx';
import { PresetEditor } from '../presets/PresetEditor.tsx';
import { PresetSheet } from '../presets/PresetSheet.tsx';
import { presetText } from '../presets/preset-text.ts';
import type { ActivePreset } from '../presets/use-active-preset.ts';
import { HelpSheet } from './HelpSheet.tsx';

/** Sheet of the dial that is open. */
export type OpenDialSheet =
  | { readonly type: 'menu'; readonly id: string; readonly anchor: Anchor }
  | { readonly type: 'help' }
  | { readonly type: 'presets' }
  /** A new preset if `id` is null; `channelIds` are added to the preset's channels. */
  | { readonly type: 'preset'; readonly id: string | null; readonly channelIds: readonly string[] }
  | { readonly type: 'words' | 'notifications'; readonly id: string };

interface DialSheetsProps {
  readonly open: OpenDialSheet;
  readonly setOpen: (open: OpenDialSheet | null) => void;
  readonly rows: readonly LineupRow[];
  readonly followed: readonly LineupRow[];
  readonly actions: RowActions;
  readonly preset: ActivePreset;
  /** State of the single-key shortcuts, and its setter. */
  readonly singleKeys: readonly [boolean, (on: boolean) => void];
  readonly announce: (text: string) => void;
}

/** Dial sheets, of which at most one is open. They load with their translations and styles. */
export function DialSheets(props: DialSheetsProps) {
  const hasMessages = useAreaMessages('arranging');
  const style = useStylesheet(styles);
  return <div ref={style}>{hasMessages && <OpenSheet {...props} />}</div>;
}

function OpenSheet({ open, setOpen, rows, followed, actions, preset, singleKeys, announce }: DialSheetsProps) {
  const m = useMsg();
  const onClose = () => setOpen(null);
  const rowOf = (id: string) => rows.find((row) => row.channel.id === id);
  switch (open.type) {
    case 'menu': {
      const row = rowOf(open.id);
      const onNotifications = () => setOpen({ type: 'notifications', id: open.id });
      const onMutedWords = () => setOpen({ type: 'words', id: open.id });
      return row === undefined ? null : (
        <RowMenu {...{ row, actions, onClose, onNotifications, onMutedWords }} total={followed.length} anchor={open.anchor} />
      );
    }
    case 'help':
      return <HelpSheet singleKeys={singleKeys[0]} setSingleKeys={singleKeys[1]} onClose={onClose} />;
    case 'words': {
      const row = rowOf(open.id);
      return row === undefined ? null : <MutedWordsSheet {...{ row, actions, onClose }} />;
    }
    case 'notifications': {
      const row = rowOf(open.id);
      return row === undefined ? null : <ChannelNotificationsSheet channel={row.channel} onClose={onClose} />;
    }
    case 'presets':
      return (
        <PresetSheet
          {...{ preset, followed, onClose }}
          onEdit={(id) => setOpen({ type: 'preset', id, channelIds: [] })}
          onChoose={(next) => {
            preset.choose(next?.id ?? null);
            announce(presetText(m, next, followed));
          }}
        />
      );
    case 'preset':
      return (
        <PresetEditor
          key={open.id}
          {...{ preset, rows: followed, onClose }}
          id={open.id}
          added={open.channelIds}
          change={actions.change}
        />
      );
  }
}
