import { useMemo, useRef, useState } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow, Loadable } from '../../data/model/types.ts';
import { useSingleKeyShortcuts } from '../../hooks/use-single-key-shortcuts.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { filterRows } from '../lineup/filter-rows.ts';
import { focusedIn, useFocusRetention } from '../lineup/use-focus-retention.ts';
import { nextPreset, presetText } from '../presets/preset-text.ts';
import { useActivePreset } from '../presets/use-active-preset.ts';
import { DialCard } from './DialCard.tsx';
import { DialControls } from './DialControls.tsx';
import { DialHeader } from './DialHeader.tsx';
import type { OpenDialSheet } from './DialSheets.tsx';
import { DialToolbar } from './DialToolbar.tsx';
import { LineupHint } from './LineupHint.tsx';
import { LineupSection } from './LineupSection.tsx';
import { tunedText } from './tuned-text.ts';
import { UndoToast, useUndoToast } from './UndoToast.tsx';
import { useDeferredParts } from './use-deferred-parts.ts';
import { useDial } from './use-dial.ts';
import { useDialShortcuts } from './use-dial-shortcuts.ts';
import { useRowActions } from './use-row-actions.ts';
import { useUnsyncedRows } from './use-unsynced-rows.ts';

interface DialProps {
  readonly lineup: Extract<Loadable<readonly LineupRow[]>, { type: 'loaded' }>;
  readonly params: Readonly<Record<string, string>> | undefined;
}

/** Dial page with a loaded line-up: the card and the remote control, next to or above the list. */
export function Dial({ lineup, params }: DialProps) {
  const m = useMsg();
  const { environment: site } = useServices();
  const root = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState<OpenDialSheet | null>(null);
  const [sought, seek] = useState<string | null>(null);
  const [held, hold] = useState<string | null>(null);
  const notice = useUndoToast();
  const single = useSingleKeyShortcuts();
  const keepFocus = useFocusRetention(root);

  const preset = useActivePreset(params);
  const unsaved = useUnsyncedRows(lineup.value);
  const followed = useMemo(() => lineup.value.filter((row) => row.followed), [lineup.value]);
  const others = useMemo(() => filterRows(lineup.value, sought).filter((row) => !row.followed), [lineup.value, sought]);
  const among = useMemo(
    () => (preset.active === null ? followed : followed.filter((row) => preset.active?.channelIds.includes(row.channel.id))),
    [followed, preset.active],
  );
  const parts = useDeferredParts(!site.embedded || among.length === 0);
  const listed = useMemo(() => filterRows(among, sought), [among, sought]);

  const tuned = (row: LineupRow | null) => {
    if (row === null) return;
    const { id } = row.channel;
    const leaves = preset.active !== null && !among.includes(row);
    const focused = focusedIn(root.current)?.closest<HTMLElement>('[data-row]')?.dataset.row ?? id;
    // A screen reader announces the row that receives the focus, so a second announcement is not needed.
    if (leaves || focused === id)
      notice.say(leaves ? `${tunedText(m, row)}. ${m.msg(str`Preset ${preset.active.name} is off`)}` : tunedText(m, row));
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
  const acts = useRowActions({
    keepFocus,
    dial,
    followed,
    listed,
    announce: notice.say,
    openMenu,
    onTune: tuned,
    retainRow: hold,
  });
  const openPresets = () => setOpen({ type: 'presets' });
  const find = () => {
    seek((before) => before ?? '');
    root.current?.querySelector<HTMLElement>('.find input')?.focus();
  };
  const typed = useDialShortcuts({
    root,
    dial,
    actions: acts,
    listed,
    onTune: tuned,
    retainRow: hold,
    announce: notice.say,
    switchPreset() {
      if (preset.all.length === 0) return openPresets();
      const next = nextPreset(preset.all, preset.active);
      preset.choose(next?.id ?? null);
      notice.say(presetText(m, next, followed));
    },
    find,
    showHelp: () => setOpen({ type: 'help' }),
    singleKeysEnabled: single[0],
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
          <DialToolbar {...{ preset }} isSearching={sought !== null} onPresets={openPresets} onSearch={find} undo={acts.undo} />
        )}
      </DialHeader>
      <div className="dial" ref={root}>
        <div className="dial-now">
          {dial.current !== null ? (
            <>
              <DialCard row={dial.current} total={followed.length} direction={dial.direction} {...{ typed, flip, card }} />
              <DialControls current={dial.current} last={dial.last} flip={flip} back={() => tuned(dial.tuneBack())} />
            </>
          ) : parts === null ? null : preset.active !== null && followed.length > 0 ? (
            <parts.EmptyPreset
              preset={preset}
              onEdit={() => setOpen({ type: 'preset', id: preset.active?.id ?? null, channelIds: [] })}
            />
          ) : (
            <parts.NoFollowedChannels />
          )}
        </div>
        <div className="dial-lineup">
          <LineupSection
            rows={listed}
            current={dial.current}
            {...{ followed, preset, unsaved, actions: acts, Edit: editing ? parts?.EditList : undefined, editing, setEditing }}
            retention={{ retainedRow: held, retainRow: hold, onRowFocus: dial.tune }}
            onHelp={() => setOpen({ type: 'help' })}
            onPreset={(channelIds) => setOpen({ type: 'preset', id: null, channelIds })}
          >
            <LineupHint rows={lineup.value} />
            {parts !== null && <parts.LineupNotices {...{ lineup, followed, unsaved, actions: acts, notice }} />}
            {parts !== null && sought !== null && (
              <parts.RowSearchField typed={sought} type={seek} onEnter={tuneToFirst} onClose={() => seek(null)} root={root} />
            )}
          </LineupSection>
          {parts !== null && (
            <parts.Unfollowed
              all={lineup.value}
              rows={others}
              actions={acts}
              announce={notice.say}
              code={params?.lineup}
              isNoMatch={sought !== null && listed.length + others.length === 0}
            />
          )}
          {parts !== null && <parts.ConnectOwnLink />}
        </div>
        {parts !== null && open !== null && (
          <parts.DialSheets
            {...{ open, setOpen, rows: lineup.value, followed, actions: acts, preset, singleKeys: single, announce: notice.say }}
          />
        )}
        <UndoToast {...notice} undo={acts.undo} />
      </div>
    </>
  );
}
