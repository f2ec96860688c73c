import type { AuditEntry } from '../../../contract/operator.ts';
import { type Messages, str } from '../../i18n/i18n.ts';

/** Returns the name of the person who did something; of an erased reader only the id is left. */
export function personName({ msg }: Messages, { id, name }: AuditEntry['actor']): string {
  if (id === 'import') return msg('The command for imports');
  return name ?? (/^\d+$/.test(id) ? msg(str`Reader ${id}`) : 'Telegram');
}
