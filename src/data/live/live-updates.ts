/*
 * Live updates: follows the server's events for a data layer. One tab of a reader holds the stream, forwards the events to
 * the other tabs, and applies them to the data on the device. Each tab applies them to what it shows. A separate chunk,
 * loaded after the first posts are rendered.
 */
import { type LiveEvent, parseLiveEvent } from '../../../contract/events.ts';
import type { EventStreamOptions } from '../../api/event-stream.ts';
import type { HttpClient } from '../../api/types.ts';
import type { DataClientControl } from '../clients/account-client.ts';
import type { NewPostsView } from '../context.ts';
import { createOfflineUpdater } from './apply-to-offline.ts';
import { createQueryUpdater } from './apply-to-queries.ts';
import { createLeaderElection, shareUserState } from './leader-election.ts';
import { createLivePostLists } from './new-posts.ts';
import { handleTabMessage, leadStream } from './tab-leader.ts';
import { createTabState } from './tab-state.ts';
import { watchTabVisibility } from './tab-visibility.ts';

export interface LiveUpdatesOptions extends EventStreamOptions {
  /** HTTP client. Its cached responses are outdated after an event. */
  readonly client: Pick<HttpClient, 'clearCache'>;
  /** Time when the page began to load data, unix ms. Its first responses are not older. */
  readonly at: number;
  /** Component that reports waiting posts. */
  readonly View: NewPostsView;
}

/** Maximum wait for a list, ms: a page without a list never shows waiting posts. */
const NEW_POSTS_VIEW_TIMEOUT_MS = 2000;

/** Starts to follow events. Pauses while the page is in the back/forward cache, and ends when the data layer closes. */
export function startLiveUpdates(area: DataClientControl, options: LiveUpdatesOptions): void {
  const { context: inside } = area;
  const lists = createLivePostLists(inside);
  const apply = createQueryUpdater(area, lists);
  let current: AbortController | null = null;
  const end = () => current?.abort();
  const begin = () => {
    end();
    if (inside.connection.isClosed()) return;
    current = new AbortController();
    startForUser(area, options, apply, current.signal);
  };
  const { signal } = inside.connection;
  signal.addEventListener('abort', end);
  // A different identity receives a different stream.
  let who = userKey(area);
  area.session.subscribe(() => {
    if (who === userKey(area)) return;
    who = userKey(area);
    begin();
  });
  // A page with an open stream or lock cannot enter the back/forward cache.
  window.addEventListener('pagehide', end, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && begin(), { signal });
  inside.newPosts.set({ ...lists, View: options.View });
  shareUserState(inside);
  const keep = ({ startMaintenance: keepUp, watchReconnect: comeBack }: typeof import('../background/maintenance.ts')) => {
    comeBack(area);
    keepUp(area, signal);
  };
  void import('../background/maintenance.ts').then(keep, () => {}); // If loading fails, the next visit runs it.
  // Until a list can hold new posts back, an event would move the posts that are being read.
  const patience = new Promise((resolve) => setTimeout(resolve, NEW_POSTS_VIEW_TIMEOUT_MS));
  void Promise.race([lists.observed, patience]).then(begin);
}

const userKey = ({ session: reader }: DataClientControl): string => {
  const who = reader.get();
  return who.type === 'signed-in' ? who.user.id : 'anyone';
};

/** Follows events with the reader's current identity. */
function startForUser(
  area: DataClientControl,
  options: LiveUpdatesOptions,
  apply: (happening: LiveEvent) => void,
  signal: AbortSignal,
): void {
  const { context: inside, session: reader } = area;
  const { client } = options;
  const effect = (data: string | null) => {
    const happened = parseEventData(data);
    if (happened === null || signal.aborted) return null;
    client.clearCache();
    apply(happened);
    return happened;
  };
  const kept = createOfflineUpdater(inside.offline, Date.now, reader.get().type !== 'expected');
  const tab = createTabState({ applyEvent: effect, broadcast: (word) => tabs.broadcast(word) }, options.at);
  const tabs = createLeaderElection({
    name: `changer-live ${options.baseUrl} ${userKey(area)}`,
    onMessage: (word) => handleTabMessage(tab, word),
    onElected: (leading) => leadStream(tab, inside, kept, options, leading),
    signal,
  });
  const refresh = () => {
    client.clearCache();
    void area.refresh();
  };
  watchTabVisibility(tab, tabs, refresh, signal);
}

function parseEventData(data: string | null): LiveEvent | null {
  if (data === null) return null;
  try {
    return parseLiveEvent(JSON.parse(data), 'event');
  } catch {
    // The event is from a newer server, or truncated. The next fetch shows the change.
    return null;
  }
}
