import type { Act } from '../../../contract/operator.ts';
import { type Messages, str } from '../../i18n/i18n.ts';

/** Names whoever did something; of a reader who was erased only the number is left. */
export function personText({ msg }: Messages, { id, name }: Act['actor']): string {
  if (id === 'import') return msg('The command for imports');
  return name ?? (/^\d+$/.test(id) ? msg(str`Reader ${id}`) : 'Telegram');
}
