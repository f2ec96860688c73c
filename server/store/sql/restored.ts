import { readLastEvent } from '../../storage/sql/events.ts';
import { putFact } from '../../storage/sql/settings.ts';
import { run, type Work } from '../../storage/sql/statements.ts';

/** More than there can have been since the backup. */
const BEYOND = 1_000_000;

/** Makes of a copy the store that goes on; `id` names the backup, by which a restore that was broken off goes on with the same one. */
export function* asRestored(id: string): Work<void> {
  // Smaller sizes of pictures are in no backup: they are made again, and counted, when they are first asked for.
  yield* run('UPDATE media_files SET sizes = 0 WHERE sizes > 0');
  // Devices have heard of events since that this store never saw: its own go on beyond those, and everyone reads anew.
  const last = yield* readLastEvent();
  yield* run('DELETE FROM events');
  yield* run("INSERT INTO events (id, kind, channel) VALUES (?, 'refresh', '')", last + BEYOND);
  // Its files are in the folder that it was restored into.
  yield* run("DELETE FROM facts WHERE name = 'data-folder'");
  yield* putFact('store-id', id);
}
