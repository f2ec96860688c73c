import { type Messages, useMsg } from '../i18n/i18n.ts';

/** Highest number that is shown. "99+" means more. */
export const MAX_SHOWN_COUNT = 99;

/** Returns a count of unread posts as a number: "12", "99+". */
export const shortCount = (m: Messages, count: number): string => m.plural(count, 'other: #', MAX_SHOWN_COUNT);

/** Returns a count of unread posts as text: "12 unread", "99+ unread". */
export const unreadText = (m: Messages, count: number): string =>
  m.plural(count, m.msg('one: # unread | other: # unread'), MAX_SHOWN_COUNT);

/** Unread count: shows the number, and the text for screen readers. */
export function UnreadCount({ count }: { readonly count: number }) {
  const m = useMsg();
  return (
    <>
      <span aria-hidden="true">{shortCount(m, count)}</span>
      <span className="hidden">{unreadText(m, count)}</span>
    </>
  );
}
