import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import { str } from '../../i18n/i18n.ts';
import type { Messages } from '../../i18n/messages.ts';

/** Returns the sentence for a reader who keeps as many posts unread as there may be. */
export const tooManyUnread = (m: Messages): string =>
  m.msg(str`You can keep ${m.number(MAX_KEPT_UNREAD)} posts unread. Mark some of them as read first.`);
