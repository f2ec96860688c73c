import type { Act } from '../../../contract/operator.ts';
import { type Messages, str } from '../../i18n/i18n.ts';

/** Returns the name of the person who did something; of an erased reader only the id is left. */
export function personText({ msg }: Messages, { id, name }: Act['actor']): string {
  if (id === 'import') return msg('The command for imports');
  return name ?? (/^\d+$/.test(id) ? msg(str`Reader ${id}`) : 'Telegram');
}
