import { type RefObject, useState } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { focusedIn, useFocusRetention } from '../lineup/use-focus-retention.ts';
import { nextPreset, presetText } from '../presets/preset-text.ts';
import type { ActivePreset } from '../presets/use-active-preset.ts';
import type { OpenDialSheet } from './DialSheets.tsx';
import { tunedText } from './tuned-text.ts';
import type { useUndoToast } from './UndoToast.tsx';
import { useDial } from './use-dial.ts';
import type { DialRows } from './use-dial-rows.ts';
import { useDialShortcuts } from './use-dial-shortcuts.ts';
import { useRowActions } from './use-row-actions.ts';

/** State of the dial page that its controls use. */
interface DialPageState extends Pick<DialRows, 'followed' | 'presetRows' | 'listed'> {
  readonly root: RefObject<HTMLElement | null>;
  readonly card: RefObject<HTMLElement | null>;
  readonly preset: ActivePreset;
  readonly notice: ReturnType<typeof useUndoToast>;
  readonly setOpen: (open: OpenDialSheet) => void;
  readonly setQuery: (query: (previous: string | null) => string | null) => void;
}

/**
 * Dial controls: connects the channel switch, the actions on rows and the keys. `onTune` announces the row that became
 * active, scrolls to its card, moves the focus from another row to it, and turns the preset off if the row is not in it.
 * The caller of `dial.tune` calls `onTune`; only after a switch that a change of the URL causes, `useDial` calls it.
 */
export function useDialControls(
  { root, card, followed, presetRows, listed, preset, notice, setOpen, setQuery }: DialPageState,
  requestedNumber: string | undefined,
  singleKeysEnabled: boolean,
) {
  const m = useMsg();
  const { announce } = notice;
  const [retainedRow, retainRow] = useState<string | null>(null);
  const keepFocus = useFocusRetention(root);

  const onTune = (row: LineupRow | null) => {
    if (row === null) return;
    const { id } = row.channel;
    const leavesPreset = preset.active !== null && !presetRows.includes(row);
    const focusedId = focusedIn(root.current)?.closest<HTMLElement>('[data-row]')?.dataset.row ?? id;
    const text = tunedText(m, row);
    // A screen reader announces the row that receives the focus, so a second announcement is not needed.
    if (leavesPreset || focusedId === id)
      announce(leavesPreset ? `${text}. ${m.msg(str`Preset ${preset.active.name} is off`)}` : text);
    if (leavesPreset) preset.choose(null);
    card.current?.scrollIntoView({ block: 'nearest' });
    if (focusedId === id) return;
    // In a long list the row may not be rendered yet.
    retainRow(id);
    keepFocus(id, true);
  };
  const dial = useDial(followed, presetRows, requestedNumber, onTune);
  const openMenu = (row: LineupRow, anchor: Anchor) => setOpen({ type: 'menu', id: row.channel.id, anchor });
  const actions = useRowActions({ keepFocus, dial, followed, listed, announce, openMenu, onTune, retainRow });
  const openSearch = () => {
    setQuery((previous) => previous ?? '');
    root.current?.querySelector<HTMLElement>('.find input')?.focus();
  };
  const typed = useDialShortcuts({
    root,
    dial,
    followed,
    actions,
    listed,
    onTune,
    retainRow,
    announce,
    switchPreset() {
      if (preset.all.length === 0) return setOpen({ type: 'presets' });
      const next = nextPreset(preset.all, preset.active);
      preset.choose(next?.id ?? null);
      announce(presetText(m, next, followed));
    },
    openSearch,
    showHelp: () => setOpen({ type: 'help' }),
    singleKeysEnabled,
  });
  const tuneToFirst = () => {
    const [first] = listed;
    if (first === undefined) return;
    setQuery(() => null);
    // The search field returns the focus to the element that had it before, unless the row has the focus by then.
    keepFocus(first.channel.id, true);
    onTune(dial.tune(first.channel.id));
  };
  return { dial, actions, typed, onTune, openSearch, tuneToFirst, retention: { retainedRow, retainRow, onRowFocus: dial.tune } };
}
