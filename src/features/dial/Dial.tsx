import { useMemo, useRef, useState } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow, Loadable } from '../../data/model/types.ts';
import { useSingleKeys } from '../../hooks/use-single-key-shortcuts.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { findRows } from '../lineup/filter-rows.ts';
import { focusedIn, useKeptFocus } from '../lineup/use-focus-retention.ts';
import { nextPreset, presetPhrase } from '../presets/preset-text.ts';
import { usePreset } from '../presets/use-active-preset.ts';
import { DialCard } from './DialCard.tsx';
import { Remote } from './DialControls.tsx';
import { DialHeader } from './DialHeader.tsx';
import type { Open } from './DialSheets.tsx';
import { DialTools } from './DialToolbar.tsx';
import { Hint } from './LineupHint.tsx';
import { Lineup } from './LineupSection.tsx';
import { onNow } from './tuned-text.ts';
import { UndoToast, useNotice } from './UndoToast.tsx';
import { useParts } from './use-deferred-parts.ts';
import { useDial } from './use-dial.ts';
import { useDialKeys } from './use-dial-shortcuts.ts';
import { useRowActs } from './use-row-actions.ts';
import { useUnsaved } from './use-unsynced-rows.ts';

interface LoadedDialProps {
  readonly lineup: Extract<Loadable<readonly LineupRow[]>, { type: 'loaded' }>;
  readonly params: Readonly<Record<string, string>> | undefined;
}

/** Dial page with a loaded line-up: the card and the remote control, next to or above the list. */
export function LoadedDial({ lineup, params }: LoadedDialProps) {
  const m = useMsg();
  const { site } = useServices();
  const root = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const [sought, seek] = useState<string | null>(null);
  const [held, hold] = useState<string | null>(null);
  const notice = useNotice();
  const single = useSingleKeys();
  const keepFocus = useKeptFocus(root);

  const preset = usePreset(params);
  const unsaved = useUnsaved(lineup.value);
  const followed = useMemo(() => lineup.value.filter((row) => row.followed), [lineup.value]);
  const others = useMemo(() => findRows(lineup.value, sought).filter((row) => !row.followed), [lineup.value, sought]);
  const among = useMemo(
    () => (preset.on === null ? followed : followed.filter((row) => preset.on?.channelIds.includes(row.channel.id))),
    [followed, preset.on],
  );
  const parts = useParts(!site.embedded || among.length === 0);
  const listed = useMemo(() => findRows(among, sought), [among, sought]);

  const tuned = (row: LineupRow | null) => {
    if (row === null) return;
    const { id } = row.channel;
    const leaves = preset.on !== null && !among.includes(row);
    const focused = focusedIn(root.current)?.closest<HTMLElement>('[data-row]')?.dataset.row ?? id;
    // A screen reader announces the row that receives the focus, so a second announcement is not needed.
    if (leaves || focused === id)
      notice.say(leaves ? `${onNow(m, row)}. ${m.msg(str`Preset ${preset.on.name} is off`)}` : onNow(m, row));
    if (leaves) preset.choose(null);
    card.current?.scrollIntoView({ block: 'nearest' });
    if (focused === id) return;
    // In a long list the row may not be rendered yet.
    hold(id);
    keepFocus(id, true);
  };
  const dial = useDial(followed, among, params?.n, tuned);
  const flip = (by: 1 | -1) => tuned(dial.flip(by));
  const openMenu = (row: LineupRow, anchor: Anchor) => setOpen({ type: 'menu', id: row.channel.id, anchor });
  const acts = useRowActs({ keepFocus, dial, followed, listed, say: notice.say, openMenu, tuned, hold });
  const openPresets = () => setOpen({ type: 'presets' });
  const find = () => {
    seek((before) => before ?? '');
    root.current?.querySelector<HTMLElement>('.find input')?.focus();
  };
  const typed = useDialKeys({
    root,
    dial,
    acts,
    listed,
    tuned,
    hold,
    say: notice.say,
    preset() {
      if (preset.all.length === 0) return openPresets();
      const next = nextPreset(preset.all, preset.on);
      preset.choose(next?.id ?? null);
      notice.say(presetPhrase(m, next, followed));
    },
    find,
    help: () => setOpen({ type: 'help' }),
    on: single[0],
  });
  const tuneToFirst = () => {
    const [first] = listed;
    if (first === undefined) return;
    seek(null);
    // The search field returns the focus to the element that had it before, unless the row has the focus by then.
    keepFocus(first.channel.id, true);
    tuned(dial.tune(first.channel.id));
  };

  return (
    <>
      <DialHeader>
        {!site.embedded && (
          <DialTools {...{ preset }} finding={sought !== null} onPresets={openPresets} onFind={find} undo={acts.undo} />
        )}
      </DialHeader>
      <div className="dial" ref={root}>
        <div className="dial-now">
          {dial.current !== null ? (
            <>
              <DialCard row={dial.current} total={followed.length} way={dial.way} {...{ typed, flip, card }} />
              <Remote current={dial.current} last={dial.last} flip={flip} back={() => tuned(dial.tuneBack())} />
            </>
          ) : parts === null ? null : preset.on !== null && followed.length > 0 ? (
            <parts.PresetEmpty
              preset={preset}
              onEdit={() => setOpen({ type: 'preset', id: preset.on?.id ?? null, channelIds: [] })}
            />
          ) : (
            <parts.AllOff />
          )}
        </div>
        <div className="dial-lineup">
          <Lineup
            rows={listed}
            current={dial.current}
            {...{ followed, preset, unsaved, acts, Edit: editing ? parts?.EditList : undefined, editing, setEditing }}
            holding={{ held, hold, reach: dial.tune }}
            onHelp={() => setOpen({ type: 'help' })}
            onPreset={(channelIds) => setOpen({ type: 'preset', id: null, channelIds })}
          >
            <Hint rows={lineup.value} />
            {parts !== null && <parts.LineupNotes {...{ lineup, followed, unsaved, acts, notice }} />}
            {parts !== null && sought !== null && (
              <parts.FindField typed={sought} type={seek} onEnter={tuneToFirst} onClose={() => seek(null)} root={root} />
            )}
          </Lineup>
          {parts !== null && (
            <parts.Others
              all={lineup.value}
              rows={others}
              acts={acts}
              say={notice.say}
              code={params?.lineup}
              isNoMatch={sought !== null && listed.length + others.length === 0}
            />
          )}
          {parts !== null && <parts.ConnectOwn />}
        </div>
        {parts !== null && open !== null && (
          <parts.Sheets {...{ open, setOpen, rows: lineup.value, followed, acts, preset, single, say: notice.say }} />
        )}
        <UndoToast {...notice} undo={acts.undo} />
      </div>
    </>
  );
}
