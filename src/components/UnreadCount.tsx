import { type Messages, useMsg } from '../i18n/i18n.ts';

/** Highest count that is shown as a number. A higher count is shown as "99+". */
export const MAX_SHOWN_COUNT = 99;

/** Returns a count of unread posts as a number: "12", "99+". */
export const shortCount = (messages: Messages, count: number): string => messages.plural(count, 'other: #', MAX_SHOWN_COUNT);

/** Returns a count of unread posts as text: "12 unread", "99+ unread". */
export const unreadText = (messages: Messages, count: number): string =>
  messages.plural(count, messages.msg('one: # unread | other: # unread'), MAX_SHOWN_COUNT);

/** Unread count: shows the number, and the text for screen readers. */
export function UnreadCount({ count }: { readonly count: number }) {
  const messages = useMsg();
  return (
    <>
      <span aria-hidden="true">{shortCount(messages, count)}</span>
      <span className="hidden">{unreadText(messages, count)}</span>
    </>
  );
}
