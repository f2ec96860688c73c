// Loads the first page of a list: stored posts first, then the server's page, merged into the posts that are shown.

import type { PagedPosts } from '../../../../contract/api.ts';
import { ApiError } from '../../../api/api-error.ts';
import { type Connection, toRequestFailure } from '../../connection/connection.ts';
import { type ListModel, NO_KEYS, readOfflineList, showCached, showContent } from './list-content.ts';
import { mergePage, uniquePosts } from './merge-page.ts';
import type { PostSource } from './types.ts';

export interface FirstPageLoader {
  /** Loads the first page now. `isRestart` discards the posts that are shown. */
  load(fresh: boolean, isRestart: boolean): Promise<void>;
  /** Loads the first page when the list gets a subscriber. A restart replaces a refetch. */
  defer(reason: 'refetch' | 'restart'): void;
  /** Loads the first page if it was not loaded yet, failed, or was deferred. */
  loadIfDue(): void;
}

export function createFirstPageLoader(
  connection: Connection,
  source: PostSource,
  model: ListModel,
  now: () => number,
): FirstPageLoader {
  let isStarted = false;
  /** Load that the next subscriber starts. */
  let due: 'nothing' | 'refetch' | 'restart' = 'nothing';
  /** Counts the loads: only the response of the latest one is used. */
  let sequence = 0;

  async function showStored(): Promise<void> {
    const stored = await source.readOffline();
    if (stored !== null && model.content === null && !connection.isClosed()) showCached(model, stored);
  }
  async function load(fresh: boolean, isRestart: boolean): Promise<void> {
    const current = ++sequence;
    const isOutdated = (): boolean => current !== sequence || connection.isClosed();
    due = 'nothing';
    const startCursor = model.content === null && !isRestart ? model.scrollAnchor?.from : undefined;
    const showingStored = isStarted || startCursor !== undefined ? null : showStored();
    isStarted = true;
    try {
      const page = await connection.request(
        (options) => (startCursor === undefined ? source.first(options) : source.page({ before: startCursor }, options)),
        fresh,
      );
      if (isOutdated()) return;
      if (startCursor !== undefined) model.boundaries.add(page.items[0], startCursor, page.previous);
      model.loadedAt = now();
      showPage(model, page, isRestart);
    } catch (thrown) {
      // The request was cancelled because the list had no subscribers any more. The next subscriber sends it again.
      if (thrown instanceof ApiError && thrown.cancelled) {
        if (current === sequence) isStarted = false;
        return;
      }
      await showingStored;
      if (isOutdated()) return;
      if (startCursor !== undefined) {
        // The page of the scroll anchor failed: loads the list from its start.
        model.scrollAnchor = null;
        isStarted = false;
        return load(fresh, isRestart);
      }
      await showFailure(source, model, thrown, isOutdated);
    }
  }
  return {
    load,
    defer(reason) {
      if (reason === 'restart' || due === 'nothing') due = reason;
    },
    loadIfDue() {
      if (!isStarted || due !== 'nothing' || model.state.get().type === 'failed') void load(due !== 'nothing', due === 'restart');
    },
  };
}

function showPage(model: ListModel, page: PagedPosts, isRestart: boolean): void {
  const { content, ends } = model;
  // A list whose loaded part does not include the start keeps its position.
  const detached = content?.previous === null ? null : content;
  const merged = isRestart || content === null ? null : (mergePage(content, page) ?? detached);
  if (merged === null) model.epoch++;
  if (ends.older === 'failed') ends.older = 'idle';
  if (ends.newer === 'failed') ends.newer = 'idle';
  showContent(model, { ...(merged ?? { ...page, items: uniquePosts(page.items), cachedKeys: NO_KEYS }), cachedAt: null });
}

async function showFailure(source: PostSource, model: ListModel, thrown: unknown, isOutdated: () => boolean): Promise<void> {
  const { message, status, unreachable } = toRequestFailure(thrown);
  // The device may have stored newer posts than the first page that is shown.
  const mayHaveNewer = unreachable && model.content?.cachedAt !== null;
  const cached = mayHaveNewer ? await readOfflineList(source, (list) => list.first(model.content?.items[0])) : null;
  if (isOutdated()) return;
  if (cached) showCached(model, cached);
  if (model.content === null) model.state.set({ type: 'failed', message, status });
  else showContent(model, { ...model.content, cachedAt: model.loadedAt });
}
