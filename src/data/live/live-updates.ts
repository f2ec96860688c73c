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
  readonly pageStartedAt: number;
  /** Component that reports waiting posts. */
  readonly View: NewPostsView;
}

/** Maximum wait until a list subscribes to new posts, ms. On a page without a list, none ever does. */
const NEW_POSTS_VIEW_TIMEOUT_MS = 2000;

/** Starts to follow events. Pauses while the page is in the back/forward cache, and ends when the data layer closes. */
export function startLiveUpdates(client: DataClientControl, options: LiveUpdatesOptions): void {
  const { context } = client;
  const lists = createLivePostLists(context);
  const apply = createQueryUpdater(client, lists);
  let current: AbortController | null = null;
  const stop = () => current?.abort();
  const start = () => {
    stop();
    if (context.connection.isClosed()) return;
    current = new AbortController();
    startForUser(client, options, apply, current.signal);
  };
  const { signal } = context.connection;
  signal.addEventListener('abort', stop);
  // A different identity receives a different stream.
  let currentUserKey = userKey(client);
  client.session.subscribe(() => {
    if (currentUserKey === userKey(client)) return;
    currentUserKey = userKey(client);
    start();
  });
  // A page with an open stream or lock cannot enter the back/forward cache.
  window.addEventListener('pagehide', stop, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && start(), { signal });
  context.newPosts.set({ ...lists, View: options.View });
  shareUserState(context);
  const startBackground = ({ startMaintenance, watchReconnect }: typeof import('../background/maintenance.ts')) => {
    watchReconnect(client);
    startMaintenance(client, signal);
  };
  void import('../background/maintenance.ts').then(startBackground, () => {}); // If loading fails, the next visit runs it.
  // Before a list can delay new posts, an event would move the posts that the reader is reading.
  const timeout = new Promise((resolve) => setTimeout(resolve, NEW_POSTS_VIEW_TIMEOUT_MS));
  void Promise.race([lists.observed, timeout]).then(start);
}

/** Returns the id of the signed-in reader, or one key for everyone else. */
const userKey = ({ session }: DataClientControl): string => {
  const state = session.get();
  return state.type === 'signed-in' ? state.user.id : 'anyone';
};

/** Follows events with the reader's current identity. */
function startForUser(
  client: DataClientControl,
  options: LiveUpdatesOptions,
  apply: (event: LiveEvent) => void,
  signal: AbortSignal,
): void {
  const { context, session } = client;
  const { client: httpClient } = options;
  const applyData = (data: string | null) => {
    const event = parseEventData(data);
    if (event === null || signal.aborted) return null;
    httpClient.clearCache();
    apply(event);
    return event;
  };
  const offlineUpdater = createOfflineUpdater(context.offline, Date.now, session.get().type !== 'expected');
  const tab = createTabState(
    { applyEvent: applyData, broadcast: (message) => election.broadcast(message) },
    options.pageStartedAt,
  );
  const election = createLeaderElection({
    name: `changer-live ${options.baseUrl} ${userKey(client)}`,
    onMessage: (message) => handleTabMessage(tab, message),
    onElected: (leadershipSignal) => leadStream(tab, context, offlineUpdater, options, leadershipSignal),
    signal,
  });
  const refresh = () => {
    httpClient.clearCache();
    void client.refresh();
  };
  watchTabVisibility(tab, election, refresh, signal);
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
