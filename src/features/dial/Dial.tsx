import { useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import type { LineupRow, Loadable } from '../../data/model/types.ts';
import { useSingleKeyShortcuts } from '../../hooks/use-single-key-shortcuts.ts';
import { useActivePreset } from '../presets/use-active-preset.ts';
import { CurrentChannel } from './CurrentChannel.tsx';
import { DialHeader } from './DialHeader.tsx';
import type { OpenDialSheet } from './DialSheets.tsx';
import { DialToolbar } from './DialToolbar.tsx';
import { LineupHint } from './LineupHint.tsx';
import { LineupSection } from './LineupSection.tsx';
import { UndoToast, useUndoToast } from './UndoToast.tsx';
import { useDeferredParts } from './use-deferred-parts.ts';
import { useDialControls } from './use-dial-controls.ts';
import { useDialRows } from './use-dial-rows.ts';
import { useUnsyncedRows } from './use-unsynced-rows.ts';

interface DialProps {
  readonly lineup: Extract<Loadable<readonly LineupRow[]>, { type: 'loaded' }>;
  readonly params: Readonly<Record<string, string>> | undefined;
}

/** Dial page with a loaded line-up: the card and the remote control, next to or above the list. */
export function Dial({ lineup, params }: DialProps) {
  const { environment } = useServices();
  const page = useDialPage({ lineup, params });
  const { root, parts, query, setQuery, open, setOpen, notice, listed, unfollowed, dial, actions } = page;
  return (
    <>
      <DialHeader>
        {!environment.embedded && (
          <DialToolbar
            preset={page.preset}
            isSearching={query !== null}
            onPresets={() => setOpen({ type: 'presets' })}
            onSearch={page.openSearch}
            undo={actions.undo}
          />
        )}
      </DialHeader>
      <div className="dial" ref={root}>
        <div className="dial-now">
          {dial.current === null ? (
            parts !== null && <parts.NoCurrentChannel {...page} />
          ) : (
            <CurrentChannel {...page} current={dial.current} />
          )}
        </div>
        <div className="dial-lineup">
          <LineupSection
            {...page}
            rows={listed}
            current={dial.current}
            Edit={page.editing ? parts?.EditList : undefined}
            onHelp={() => setOpen({ type: 'help' })}
            onPreset={(channelIds) => setOpen({ type: 'preset', id: null, channelIds })}
          >
            <LineupHint rows={lineup.value} />
            {parts !== null && <parts.LineupNotices {...page} />}
            {parts !== null && query !== null && (
              <parts.RowSearchField
                query={query}
                onType={setQuery}
                onEnter={page.tuneToFirst}
                onClose={() => setQuery(null)}
                root={root}
              />
            )}
          </LineupSection>
          {parts !== null && (
            <parts.Unfollowed
              allRows={lineup.value}
              rows={unfollowed}
              actions={actions}
              announce={notice.announce}
              query={query}
              sharedLineupCode={params?.lineup}
              isNoMatch={query !== null && listed.length + unfollowed.length === 0}
            />
          )}
          {parts !== null && <parts.ConnectOwnLink />}
          {parts !== null && <parts.SavedTime cachedAt={lineup.cachedAt} />}
        </div>
        {parts !== null && open !== null && (
          <parts.DialSheets {...page} open={open} rows={lineup.value} announce={notice.announce} />
        )}
        <UndoToast {...notice} undo={actions.undo} />
      </div>
    </>
  );
}

/**
 * State of the dial page, its rows, and its controls. Each component of the page receives the complete object, and uses
 * the properties that its props declare.
 */
function useDialPage({ lineup, params }: DialProps) {
  const { environment } = useServices();
  const root = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState<OpenDialSheet | null>(null);
  const [query, setQuery] = useState<string | null>(null);
  const notice = useUndoToast();
  const singleKeys = useSingleKeyShortcuts();
  const preset = useActivePreset(params);
  const unsaved = useUnsyncedRows(lineup.value);
  const rows = useDialRows(lineup.value, preset, query);
  const parts = useDeferredParts(!environment.embedded || rows.presetRows.length === 0);
  const page = { root, card, preset, notice, setOpen, setQuery, ...rows };
  const controls = useDialControls(page, params?.n, singleKeys[0]);
  return { ...page, ...controls, lineup, editing, setEditing, open, query, singleKeys, unsaved, parts };
}
