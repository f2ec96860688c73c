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
  const { environment } = useServices();
  const root = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState<OpenDialSheet | null>(null);
  const [query, setQuery] = useState<string | null>(null);
  const [retainedRow, retainRow] = useState<string | null>(null);
  const notice = useUndoToast();
  const singleKeys = useSingleKeyShortcuts();
  const keepFocus = useFocusRetention(root);

  const preset = useActivePreset(params);
  const unsaved = useUnsyncedRows(lineup.value);
  const followed = useMemo(() => lineup.value.filter((row) => row.followed), [lineup.value]);
  const unfollowed = useMemo(() => filterRows(lineup.value, query).filter((row) => !row.followed), [lineup.value, query]);
  const presetRows = useMemo(
    () => (preset.active === null ? followed : followed.filter((row) => preset.active?.channelIds.includes(row.channel.id))),
    [followed, preset.active],
  );
  const parts = useDeferredParts(!environment.embedded || presetRows.length === 0);
  const listed = useMemo(() => filterRows(presetRows, query), [presetRows, query]);

  const onTune = (row: LineupRow | null) => {
    if (row === null) return;
    const { id } = row.channel;
    const leavesPreset = preset.active !== null && !presetRows.includes(row);
    const focusedId = focusedIn(root.current)?.closest<HTMLElement>('[data-row]')?.dataset.row ?? id;
    // A screen reader announces the row that receives the focus, so a second announcement is not needed.
    if (leavesPreset || focusedId === id)
      notice.announce(
        leavesPreset ? `${tunedText(m, row)}. ${m.msg(str`Preset ${preset.active.name} is off`)}` : tunedText(m, row),
      );
    if (leavesPreset) preset.choose(null);
    card.current?.scrollIntoView({ block: 'nearest' });
    if (focusedId === id) return;
    // In a long list the row may not be rendered yet.
    retainRow(id);
    keepFocus(id, true);
  };
  const dial = useDial(followed, presetRows, params?.n, onTune);
  const flip = (by: 1 | -1) => onTune(dial.flip(by));
  const openMenu = (row: LineupRow, anchor: Anchor) => setOpen({ type: 'menu', id: row.channel.id, anchor });
  const actions = useRowActions({
    keepFocus,
    dial,
    followed,
    listed,
    announce: notice.announce,
    openMenu,
    onTune,
    retainRow,
  });
  const openPresets = () => setOpen({ type: 'presets' });
  const openSearch = () => {
    setQuery((previous) => previous ?? '');
    root.current?.querySelector<HTMLElement>('.find input')?.focus();
  };
  const typed = useDialShortcuts({
    root,
    dial,
    actions,
    listed,
    onTune,
    retainRow,
    announce: notice.announce,
    switchPreset() {
      if (preset.all.length === 0) return openPresets();
      const next = nextPreset(preset.all, preset.active);
      preset.choose(next?.id ?? null);
      notice.announce(presetText(m, next, followed));
    },
    find: openSearch,
    showHelp: () => setOpen({ type: 'help' }),
    singleKeysEnabled: singleKeys[0],
  });
  const tuneToFirst = () => {
    const [first] = listed;
    if (first === undefined) return;
    setQuery(null);
    // The search field returns the focus to the element that had it before, unless the row has the focus by then.
    keepFocus(first.channel.id, true);
    onTune(dial.tune(first.channel.id));
  };

  return (
    <>
      <DialHeader>
        {!environment.embedded && (
          <DialToolbar
            {...{ preset }}
            isSearching={query !== null}
            onPresets={openPresets}
            onSearch={openSearch}
            undo={actions.undo}
          />
        )}
      </DialHeader>
      <div className="dial" ref={root}>
        <div className="dial-now">
          {dial.current !== null ? (
            <>
              <DialCard row={dial.current} total={followed.length} direction={dial.direction} {...{ typed, flip, card }} />
              <DialControls current={dial.current} last={dial.last} flip={flip} back={() => onTune(dial.tuneBack())} />
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
            {...{ followed, preset, unsaved, actions, Edit: editing ? parts?.EditList : undefined, editing, setEditing }}
            retention={{ retainedRow, retainRow, onRowFocus: dial.tune }}
            onHelp={() => setOpen({ type: 'help' })}
            onPreset={(channelIds) => setOpen({ type: 'preset', id: null, channelIds })}
          >
            <LineupHint rows={lineup.value} />
            {parts !== null && <parts.LineupNotices {...{ lineup, followed, unsaved, actions, notice }} />}
            {parts !== null && query !== null && (
              <parts.RowSearchField
                typed={query}
                type={setQuery}
                onEnter={tuneToFirst}
                onClose={() => setQuery(null)}
                root={root}
              />
            )}
          </LineupSection>
          {parts !== null && (
            <parts.Unfollowed
              all={lineup.value}
              rows={unfollowed}
              actions={actions}
              announce={notice.announce}
              code={params?.lineup}
              isNoMatch={query !== null && listed.length + unfollowed.length === 0}
            />
          )}
          {parts !== null && <parts.ConnectOwnLink />}
        </div>
        {parts !== null && open !== null && (
          <parts.DialSheets
            {...{ open, setOpen, rows: lineup.value, followed, actions, preset, singleKeys, announce: notice.announce }}
          />
        )}
        <UndoToast {...notice} undo={actions.undo} />
      </div>
    </>
  );
}
