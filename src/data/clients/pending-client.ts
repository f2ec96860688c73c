import { createSignal } from '../../lib/signal.ts';
import type { DataClient } from '../model/client.ts';
import type { Loadable, PostList, PostListState, SessionState } from '../model/types.ts';
import { createReadOnlyActions } from '../mutations/read-only.ts';

/**
 * Creates a placeholder data layer, used while the code of the real one loads. All data is in the state `loading`, so that
 * the frame around the page can be shown.
 */
export function createPendingClient(readerId: string | null): DataClient {
  const loading = createSignal<Loadable<never>>({ type: 'loading' });
  const doNothing = async (): Promise<void> => {};
  const createLoadingList = (): PostList => ({
    ...createSignal<PostListState>({ type: 'loading' }),
    loadOlder: doNothing,
    loadNewer: doNothing,
    refresh: doNothing,
    scrollAnchor: null,
  });
  return {
    ...createReadOnlyActions(),
    session: createSignal<SessionState>(readerId === null ? { type: 'anonymous' } : { type: 'expected', id: readerId }),
    connectivity: createSignal('online'),
    syncStatus: createSignal({ type: 'saved' }),
    addChannel() {},
    directory: loading,
    lineup: loading,
    readMarkers: createSignal(new Map()),
    keptUnread: createSignal(new Set()),
    stars: createSignal(new Set()),
    feed: createLoadingList,
    posts: createLoadingList,
    channel: () => loading,
    latestPosts: () => loading,
    post: () => loading,
    refresh: doNothing,
    close() {},
  };
}
