import type { Anchor } from '../../components/Sheet.tsx';
import styles from '../../components/styles/menu.css';
import type { LineupRow } from '../../data/model/types.ts';
import { useStyle } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/lazy-messages.ts';
import { WordsSheet } from '../lineup/MutedWordsSheet.tsx';
import { RowMenu } from '../lineup/RowMenu.tsx';
import type { RowActs } from '../lineup/row-actions.ts';
import { PresetEditor } from '../presets/PresetEditor.tsx';
import { PresetSheet } from '../presets/PresetSheet.tsx';
import { presetPhrase } from '../presets/preset-text.ts';
import type { PresetChoice } from '../presets/use-active-preset.ts';
import { HelpSheet } from './HelpSheet.tsx';

/** Sheet of the dial that is open. */
export type Open =
  | { readonly type: 'menu'; readonly id: string; readonly anchor: Anchor }
  | { readonly type: 'help' }
  | { readonly type: 'presets' }
  /** A new preset if `id` is null; `channelIds` are added to the preset's channels. */
  | { readonly type: 'preset'; readonly id: string | null; readonly channelIds: readonly string[] }
  | { readonly type: 'words'; readonly id: string };

interface SheetsProps {
  readonly open: Open;
  readonly setOpen: (open: Open | null) => void;
  readonly rows: readonly LineupRow[];
  readonly followed: readonly LineupRow[];
  readonly acts: RowActs;
  readonly preset: PresetChoice;
  /** State of the single-key shortcuts, and its setter. */
  readonly single: readonly [boolean, (on: boolean) => void];
  readonly say: (text: string) => void;
}

/** Dial sheets, of which at most one is open. They load with their translations and styles. */
export function Sheets(props: SheetsProps) {
  const worded = useWords('arranging');
  const style = useStyle(styles);
  return <div ref={style}>{worded && <OpenSheet {...props} />}</div>;
}

function OpenSheet({ open, setOpen, rows, followed, acts, preset, single, say }: SheetsProps) {
  const m = useMsg();
  const onClose = () => setOpen(null);
  const rowOf = (id: string) => rows.find((row) => row.channel.id === id);
  switch (open.type) {
    case 'menu': {
      const row = rowOf(open.id);
      const onWords = () => setOpen({ type: 'words', id: open.id });
      return row === undefined ? null : (
        <RowMenu {...{ row, acts, onClose, onWords }} total={followed.length} anchor={open.anchor} />
      );
    }
    case 'help':
      return <HelpSheet singleKeys={single[0]} setSingleKeys={single[1]} onClose={onClose} />;
    case 'words': {
      const row = rowOf(open.id);
      return row === undefined ? null : <WordsSheet {...{ row, acts, onClose }} />;
    }
    case 'presets':
      return (
        <PresetSheet
          {...{ preset, followed, onClose }}
          onEdit={(id) => setOpen({ type: 'preset', id, channelIds: [] })}
          onChoose={(next) => {
            preset.choose(next?.id ?? null);
            say(presetPhrase(m, next, followed));
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
          change={acts.change}
        />
      );
  }
}
