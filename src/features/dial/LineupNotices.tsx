import { useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { muteChannels } from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { RowActions } from '../lineup/row-actions.ts';
import { muteEndText } from '../lineup/row-text.ts';
import { RejectedChangeNotice } from '../sync-status/RejectedChange.tsx';
import type { useUndoToast } from './UndoToast.tsx';
import type { UnsyncedRows } from './use-unsynced-rows.ts';

interface LineupNoticesProps {
  readonly followed: readonly LineupRow[];
  readonly unsaved: UnsyncedRows;
  readonly actions: RowActions;
  readonly notice: ReturnType<typeof useUndoToast>;
}

/** Line-up notices: the line-up was merged, is completely muted, or is not saved yet. */
export function LineupNotices({ followed, unsaved, actions, notice }: LineupNoticesProps) {
  const m = useMsg();
  const unmuteAll = () => {
    const ids = followed.map((row) => row.channel.id);
    actions.change({ action: 'unmute', channelId: null }, muteChannels(ids, null), m.msg('All channels are unmuted'));
  };
  const allMuted = followed.length > 0 && followed.every((row) => row.muted);
  return (
    <>
      <MergedNotice announce={notice.announce} />
      <KeepFocusVisible isNoticeShown={notice.notice?.isVisible === true} />
      {allMuted && <AllMutedNotice rows={followed} unmute={unmuteAll} />}
      <SyncNotice unsaved={unsaved} />
    </>
  );
}

/**
 * Time when the line-up was stored, while no server can be reached. It is at the end of the page, because it appears after
 * the first paint and would move the rows.
 */
export function SavedTime({ cachedAt }: { readonly cachedAt: number | null }) {
  const m = useMsg();
  const connection = useSignalValue(useServices().dataClient.connectivity);
  if (cachedAt === null || connection === 'online') return null;
  return <p className="lineup-note">{m.msg(str`Saved on this device: ${m.relativeDate(cachedAt / 1000, Date.now())}`)}</p>;
}

/** Scrolls the focused element into view when a notice is shown, because the notice may overlap it. */
function KeepFocusVisible({ isNoticeShown }: { readonly isNoticeShown: boolean }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const root = element.current?.getRootNode();
    if (isNoticeShown && root instanceof ShadowRoot) root.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [isNoticeShown]);
  return <span ref={element} hidden />;
}

/** Notice that changes from another device were merged. The dial's live region announces it. */
function MergedNotice({ announce }: { readonly announce: (text: string) => void }) {
  const { msg } = useMsg();
  const merged = useSignalValue(useServices().dataClient.merged);
  const text = msg('Changes from another device were merged into your line-up.');
  useEffect(() => {
    if (merged !== null) announce(text);
  }, [merged, announce, text]);
  if (merged === null) return null;
  return (
    <p className="lineup-note">
      {text}{' '}
      <button type="button" className="link" onClick={merged.undo}>
        {msg('Undo')}
      </button>{' '}
      <button type="button" className="link" onClick={merged.dismiss}>
        {msg('OK')}
      </button>
    </p>
  );
}

function SyncNotice({ unsaved }: { readonly unsaved: UnsyncedRows }) {
  const m = useMsg();
  const { dataClient } = useServices();
  const syncStatus = useSignalValue(dataClient.syncStatus);
  if (syncStatus.type === 'saved') return null;
  return syncStatus.type === 'rejected' ? (
    <RejectedChangeNotice className="lineup-note" rejected={syncStatus} />
  ) : (
    <p className="lineup-note">
      {m.plural(syncStatus.count, m.msg('one: # change waiting | other: # changes waiting'))}{' '}
      {unsaved.failed && (
        <button type="button" className="link" onClick={() => void dataClient.refresh()}>
          {m.msg('Try again')}
        </button>
      )}
    </p>
  );
}

function AllMutedNotice({ rows, unmute }: { readonly rows: readonly LineupRow[]; readonly unmute: () => void }) {
  const m = useMsg();
  // Unix seconds; 0 is a mute without an end.
  const muteEnds = rows.map((row) => row.entry.mutedUntil ?? 0);
  const end = muteEnds.includes(0) ? null : muteEndText(m, Math.min(...muteEnds), Date.now());
  return (
    <p className="lineup-note">
      {end === null ? m.msg('All channels are muted.') : m.msg(str`All channels are muted until ${end}.`)}{' '}
      <button type="button" className="link" onClick={unmute}>
        {m.msg('Unmute all')}
      </button>
    </p>
  );
}
