import type { PagedPosts } from '../../../../contract/api.ts';
import type { Connection } from '../../connection/connection.ts';
import { type EndState, type ListModel, NO_KEYS, readOfflineList, type ShownContent, showContent } from './list-content.ts';
import { uniquePosts } from './merge-page.ts';
import type { ListEnd, PostListContent, PostSource } from './types.ts';

/** Loads the next page at one end of the list: from the server, else from the device. */
export async function loadMore(connection: Connection, source: PostSource, model: ListModel, end: ListEnd): Promise<void> {
  const { ends, boundaries, epoch } = model;
  const cursor = cursorAt(model.content, end);
  if (model.content === null || cursor === null || ends[end] === 'loading' || connection.isClosed()) return;
  ends[end] = 'loading';
  showContent(model, model.content);
  let outcome: EndState = 'idle';
  let grown: PostListContent | null = null;
  let isCached = false;
  try {
    if (cursor === undefined) throw new Error('Only cached posts are known');
    const position = end === 'older' ? { before: cursor } : { after: cursor };
    const page = await connection.request((options) => source.page(position, options));
    const offlineList = model.content.cachedKeys.size > 0 ? await source.loadOfflineList?.() : undefined;
    grown = offlineList?.merge(model.content, end, page) ?? appendPage(model.content, end, page);
    if (end === 'older') boundaries.add(page.items[0], cursor, page.previous);
    else boundaries.add(model.content.items[0], page.next, cursor);
  } catch {
    const base = model.content;
    grown = await readOfflineList(source, (list) => list.grow(base, end));
    isCached = true;
    if (grown === null) outcome = 'failed';
  }
  ends[end] = outcome;
  if (connection.isClosed()) return;
  const isSameCursor = cursor === cursorAt(model.content, end);
  if (grown === null || epoch !== model.epoch || !isSameCursor) return showContent(model, model.content);
  // A refresh may have finished in the meantime: the current state of the list counts.
  const shown: ShownContent = { ...grown, cachedAt: isCached ? model.loadedAt : model.content.cachedAt };
  showContent(model, boundaries.trim(shown, end));
}

/** Returns the cursor at one end; null at the end of the list, undefined if only cached posts are known. */
const cursorAt = (content: ShownContent | null, end: ListEnd): string | null | undefined =>
  end === 'older' ? content?.next : content?.previous;

const appendPage = (content: ShownContent, end: ListEnd, page: PagedPosts): PostListContent => ({
  ...page,
  cachedKeys: NO_KEYS,
  items: uniquePosts(end === 'older' ? [...content.items, ...page.items] : [...page.items, ...content.items]),
  ...(end === 'older' ? { previous: content.previous } : { next: content.next }),
});
