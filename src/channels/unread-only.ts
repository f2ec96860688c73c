import type { Post } from '../../contract/post.ts';
import type { ReadPage, Sources } from './sources.ts';

/** A page of unread posts is gathered from at most so many of the feed's. */
const PAGES_SEARCHED = 5;

/** Reads pages until one holds an unread post. What counts as read is taken when the list begins: nothing vanishes while it is read. */
export function unreadOnly(sources: Sources, read: ReadPage): ReadPage {
  let marks: ReadonlyMap<string, number> | undefined;
  const isUnread = (post: Post): boolean => post.id > (marks?.get(post.channelId) ?? 0);
  return async (cursor, how) => {
    if (marks === undefined || (cursor.before === undefined && cursor.after === undefined)) marks = await sources.marks();
    let page = await read(cursor, how);
    for (let count = 1; count < PAGES_SEARCHED && page.next !== null && !page.items.some(isUnread); count++) {
      const further = await read({ before: page.next }, how);
      page = { ...further, previous: page.previous, channels: [...page.channels, ...further.channels] };
    }
    return { ...page, items: page.items.filter(isUnread) };
  };
}
