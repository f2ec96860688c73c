import { useServices } from '../../context/services.ts';
import type { Connectivity, SyncStatus } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';

/** Returns the text about the connection and the unsent changes; null if the app is online and all changes are sent. */
export function connectionText(m: Messages, connectivity: Connectivity, syncStatus: SyncStatus): string | null {
  const candidates = [connectivityText(m, connectivity), syncText(m, syncStatus)];
  const texts = candidates.filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(' · ');
}

function connectivityText({ msg }: Messages, connectivity: Connectivity): string | null {
  if (connectivity === 'offline') return msg('Offline');
  return connectivity === 'unreachable' ? msg('The server cannot be reached') : null;
}

function syncText(m: Messages, syncStatus: SyncStatus): string | null {
  if (syncStatus.type === 'waiting') return m.plural(syncStatus.count, m.msg('one: # change waiting | other: # changes waiting'));
  return syncStatus.type === 'rejected' ? m.msg('Not saved') : null;
}

/** Text of the connection line. */
export function ConnectionText() {
  const { dataClient } = useServices();
  return connectionText(useMsg(), useSignalValue(dataClient.connectivity), useSignalValue(dataClient.syncStatus));
}
