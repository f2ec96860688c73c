import type { AuditEntry } from '../../../contract/operator.ts';
import { type Messages, str } from '../../i18n/i18n.ts';

/**
 * Returns the name of an audit event's actor, as text. Of an erased reader only the id, which is numeric, is left. Any
 * other actor without a name is Telegram.
 */
export function personName({ msg }: Messages, { id, name }: AuditEntry['actor']): string {
  if (id === 'import') return msg('The command for imports');
  return name ?? (/^\d+$/.test(id) ? msg(str`Reader ${id}`) : 'Telegram');
}
