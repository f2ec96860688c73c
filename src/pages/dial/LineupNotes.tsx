import type { LineupRow, Loadable } from '../../channels/channels.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { muteEnd } from './short-date.ts';

interface LineupNotesProps {
  readonly lineup: Extract<Loadable<readonly LineupRow[]>, { type: 'loaded' }>;
  readonly followed: readonly LineupRow[];
  readonly unmuteAll: () => void;
}

/** What is to be known about the line-up as a whole: that it is the first, all muted, kept, or not saved yet. */
export function LineupNotes({ lineup, followed, unmuteAll }: LineupNotesProps) {
  const m = useMsg();
  const { channels, site } = useServices();
  const saving = useReadable(channels.saving);
  const connection = useReadable(channels.connection);
  const untouched = lineup.value.every((row) => row.entry.changed === undefined) && followed.length === lineup.value.length;
  const allMuted = followed.length > 0 && followed.every((row) => row.muted);
  const getAll = m.msg(
    '=0: There is no channel yet. | one: You get the one channel there is. | =2: You get both. Turn off what you don’t want. | other: You get all #. Turn off what you don’t want.',
  );
  return (
    <>
      {untouched && !site.embedded && <p className="lineup-note">{m.plural(followed.length, getAll)}</p>}
      {allMuted && <AllMuted rows={followed} unmute={unmuteAll} />}
      {lineup.kept !== null && connection !== 'online' && (
        <p className="lineup-note">{m.msg(str`As kept on this device: ${m.when(lineup.kept / 1000, Date.now())}`)}</p>
      )}
      {saving.type === 'waiting' && (
        <p className="lineup-note">{m.plural(saving.count, m.msg('one: # change waiting | other: # changes waiting'))}</p>
      )}
      {saving.type === 'refused' && (
        <p className="lineup-note unsaved">
          {m.msg(str`Not saved: ${saving.message}`)}{' '}
          <button type="button" className="link" onClick={() => void channels.refresh()}>
            {m.msg('Try again')}
          </button>
        </p>
      )}
    </>
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
