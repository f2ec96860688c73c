// Post list: cursor pagination at both ends, with refresh, offline pages and a bounded number of posts.

import { onFirstSubscriber } from '../../../lib/watched-signal.ts';
import type { Connection } from '../../connection/connection.ts';
import { createListModel, showContent } from './list-content.ts';
import { createFirstPageLoader } from './load-first.ts';
import { loadMore } from './load-more.ts';
import type { InfinitePostList, PostSource } from './types.ts';

/** Creates a list that grows at both ends by cursors, evicts distant posts, and never contains a post twice. */
export function createPostList(connection: Connection, source: PostSource, now: () => number): InfinitePostList {
  const model = createListModel(now());
  const { load, defer, loadIfDue } = createFirstPageLoader(connection, source, model, now);
  const signal = onFirstSubscriber(model.state, loadIfDue);
  return {
    ...signal,
    get scrollAnchor() {
      return model.scrollAnchor;
    },
    set scrollAnchor(next) {
      const { boundaries, content } = model;
      model.scrollAnchor = next && content ? { ...next, from: boundaries.cursorTo(content.items, next.key) } : next;
    },
    newest: () => model.newest,
    loadOlder: () => loadMore(connection, source, model, 'older'),
    loadNewer: () => loadMore(connection, source, model, 'newer'),
    refresh: () => load(true, false),
    async refetch() {
      if (signal.hasSubscribers()) await load(true, false);
      else defer('refetch');
    },
    edit(change) {
      if (model.content !== null) showContent(model, { ...model.content, ...change(model.content) });
    },
    async reset(keep) {
      const { content } = model;
      if (content !== null) showContent(model, { ...content, items: content.items.filter(keep) });
      if (signal.hasSubscribers()) await load(true, true);
      else defer('restart');
    },
  };
}
