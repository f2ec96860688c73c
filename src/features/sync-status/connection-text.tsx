import { useServices } from '../../context/services.ts';
import type { Connectivity, SyncStatus } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';

/** Returns the text about the connection and the unsent changes; null if all is well. */
export function connectionText(m: Messages, connection: Connectivity, saving: SyncStatus): string | null {
  const parts = [reachText(m, connection), savingText(m, saving)];
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join(' · ');
}

function reachText({ msg }: Messages, connection: Connectivity): string | null {
  if (connection === 'offline') return msg('Offline');
  return connection === 'unreachable' ? msg('The server cannot be reached') : null;
}

function savingText(m: Messages, saving: SyncStatus): string | null {
  if (saving.type === 'waiting') return m.plural(saving.count, m.msg('one: # change waiting | other: # changes waiting'));
  return saving.type === 'refused' ? m.msg('Not saved') : null;
}

/** Text of the connection line. */
export function ConnectionText() {
  const { dataClient: channels } = useServices();
  return connectionText(useMsg(), useSignalValue(channels.connectivity), useSignalValue(channels.syncStatus));
}
