import { useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { mute } from '../../data/lineup/operations.ts';
import type { LineupRow, Loadable } from '../../data/model/types.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { RowActs } from '../lineup/row-actions.ts';
import { muteEnd } from '../lineup/row-text.ts';
import { NotAccepted } from '../sync-status/RejectedChange.tsx';
import type { useNotice } from './UndoToast.tsx';
import type { Unsaved } from './use-unsynced-rows.ts';

interface LineupNotesProps {
  readonly lineup: Extract<Loadable<readonly LineupRow[]>, { type: 'loaded' }>;
  readonly followed: readonly LineupRow[];
  readonly unsaved: Unsaved;
  readonly acts: RowActs;
  readonly notice: ReturnType<typeof useNotice>;
}

/** Line-up notices about the complete line-up: it was merged, is fully muted, comes from the cache, or is not saved yet. */
export function LineupNotes({ lineup, followed, unsaved, acts, notice }: LineupNotesProps) {
  const m = useMsg();
  const { channels } = useServices();
  const connection = useReadable(channels.connection);
  const unmuteAll = () => {
    const ids = followed.map((row) => row.channel.id);
    acts.change({ act: 'unmute', channelId: null }, mute(ids, null), m.msg('All channels are unmuted'));
  };
  const allMuted = followed.length > 0 && followed.every((row) => row.muted);
  return (
    <>
      <MergedNote say={notice.say} />
      <Uncovered by={notice.notice?.shown === true} />
      {allMuted && <AllMuted rows={followed} unmute={unmuteAll} />}
      {lineup.kept !== null && connection !== 'online' && (
        <p className="lineup-note">{m.msg(str`As kept on this device: ${m.when(lineup.kept / 1000, Date.now())}`)}</p>
      )}
      <SavingNote unsaved={unsaved} />
    </>
  );
}

/** Scrolls the focused element out from under a notice that covers it. */
function Uncovered({ by }: { readonly by: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const tree = place.current?.getRootNode();
    if (by && tree instanceof ShadowRoot) tree.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [by]);
  return <span ref={place} hidden />;
}

/** Notice that changes from another device were merged. The dial's live region announces it. */
function MergedNote({ say }: { readonly say: (text: string) => void }) {
  const { msg } = useMsg();
  const merged = useReadable(useServices().channels.merged);
  const text = msg('Changes from another device were merged into your line-up.');
  useEffect(() => {
    if (merged !== null) say(text);
  }, [merged, say, text]);
  if (merged === null) return null;
  return (
    <p className="lineup-note">
      {text}{' '}
      <button type="button" className="link" onClick={merged.undo}>
        {msg('Undo')}
      </button>{' '}
      <button type="button" className="link" onClick={merged.note}>
        {msg('OK')}
      </button>
    </p>
  );
}

function SavingNote({ unsaved }: { readonly unsaved: Unsaved }) {
  const m = useMsg();
  const { channels } = useServices();
  const saving = useReadable(channels.saving);
  if (saving.type === 'saved') return null;
  return saving.type === 'refused' ? (
    <NotAccepted className="lineup-note" refused={saving} />
  ) : (
    <p className="lineup-note">
      {m.plural(saving.count, m.msg('one: # change waiting | other: # changes waiting'))}{' '}
      {unsaved.failed && (
        <button type="button" className="link" onClick={() => void channels.refresh()}>
          {m.msg('Try again')}
        </button>
      )}
    </p>
  );
}

function AllMuted({ rows, unmute }: { readonly rows: readonly LineupRow[]; readonly unmute: () => void }) {
  const m = useMsg();
  const ends = rows.map((row) => row.entry.mutedUntil ?? 0);
  const end = ends.includes(0) ? null : muteEnd(m, Math.min(...ends), Date.now());
  return (
    <p className="lineup-note">
      {end === null ? m.msg('All channels are muted.') : m.msg(str`All channels are muted until ${end}.`)}{' '}
      <button type="button" className="link" onClick={unmute}>
        {m.msg('Unmute all')}
      </button>
    </p>
  );
}
