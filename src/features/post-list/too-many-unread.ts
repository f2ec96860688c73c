import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import { str } from '../../i18n/i18n.ts';
import type { Messages } from '../../i18n/messages.ts';

/** Returns the message for a reader who has marked the maximum number of posts as unread. */
export const tooManyUnreadText = (m: Messages): string =>
  m.msg(str`You can keep ${m.number(MAX_KEPT_UNREAD)} posts unread. Mark some of them as read first.`);
