import { createCell } from '../../lib/signal.ts';
import type { Channels } from '../model/client.ts';
import type { Loadable, PostList, PostListState, ReaderState } from '../model/types.ts';
import { inertActs } from '../mutations/read-only.ts';

/**
 * Creates a placeholder data layer, used while the code of the real one loads. All data is in the state `loading`, so that
 * the frame around the page can be shown.
 */
export function createWaiting(readerId: string | null): Channels {
  const loading = createCell<Loadable<never>>({ type: 'loading' });
  const none = async (): Promise<void> => {};
  const list = (): PostList => ({
    ...createCell<PostListState>({ type: 'loading' }),
    older: none,
    newer: none,
    refresh: none,
    place: null,
  });
  return {
    ...inertActs(),
    reader: createCell<ReaderState>(readerId === null ? { type: 'anonymous' } : { type: 'expected', id: readerId }),
    connection: createCell('online'),
    saving: createCell({ type: 'saved' }),
    meet() {},
    directory: loading,
    lineup: loading,
    marks: createCell(new Map()),
    keptUnread: createCell(new Set()),
    stars: createCell(new Set()),
    feed: list,
    posts: list,
    channel: () => loading,
    latest: () => loading,
    post: () => loading,
    refresh: none,
    close() {},
  };
}
