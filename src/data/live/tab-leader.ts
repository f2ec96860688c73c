// Leader tab: holds the event stream, forwards events to the other tabs, and applies them to the offline store.

import type { LiveEvent } from '../../../contract/events.ts';
import { type EventStreamBlock, type EventStreamOptions, openEventStream } from '../../api/event-stream.ts';
import type { DataContext } from '../context.ts';
import { DEFAULT_LINEUP, externalFeedIds } from '../lineup/selectors.ts';
import type { OfflineUpdater } from './apply-to-offline.ts';
import type { EventMessage, PresenceMessage, TabMessage } from './leader-election.ts';
import { followStream } from './stream-follower.ts';
import { advanceStream, isTabVisible, MAX_REPLAY_AGE_MS, TAB_CHECK_INTERVAL_MS, type TabState } from './tab-state.ts';

/** Time without a visible tab after which the stream is closed, ms. It resumes when a tab becomes visible. */
const HIDDEN_TIMEOUT_MS = 60_000;
/** Number of recent events in the leader's memory, for tabs that open later. */
const MAX_RECENT_EVENTS = 200;
/** Interval at which the device stores the last event id while no events arrive, ms. */
const POSITION_SAVE_INTERVAL_MS = 60_000;

/**
 * Runs the leader tab until the signal aborts: keeps the stream open, forwards its events to the other tabs, and applies
 * them to the offline store.
 */
export function leadStream(
  tab: TabState,
  { connection, directory, userState }: DataContext,
  offlineUpdater: OfflineUpdater,
  streamOptions: EventStreamOptions,
  signal: AbortSignal,
): void {
  let openedAt: number | null = null;
  let writing = Promise.resolve();
  let savedAt = 0;
  let pendingEvents: LiveEvent[] = [];

  const isWanted = () => isTabVisible() || Date.now() - tab.visibleAt < HIDDEN_TIMEOUT_MS;
  /**
   * Deletes the stored channels that the reader may no longer read: that may have changed while no tab was connected. At
   * first, the directory of this page is current, and only the other channels are requested.
   */
  async function removeInaccessible(isFirst: boolean): Promise<void> {
    const known = isFirst && directory.next !== undefined ? directory.channels() : [];
    try {
      const missing = await offlineUpdater.removeMissingChannels((ids) =>
        connection.request((options) => directory.complete(known, ids, options), true),
      );
      for (const channelId of missing) {
        const data = JSON.stringify({ type: 'hidden', channelId });
        tab.broadcast({ type: 'heard', id: null, data });
        tab.applyEvent(data);
      }
      if (!isFirst) await directory.query.refetch();
    } catch {
      // The next opening of the stream tries again.
    }
  }
  /** Opens the stream after the tab's last event, or else after the last event that the device stored. */
  async function open(attemptSignal: AbortSignal): ReturnType<typeof openEventStream> {
    tab.lastEventId ??= await offlineUpdater.lastEventId();
    const startPosition =
      tab.lastEventId === null ? { agoMs: Math.min(Date.now() - tab.since, MAX_REPLAY_AGE_MS) } : { after: tab.lastEventId };
    const feedIds = externalFeedIds(userState.lineup.get() ?? DEFAULT_LINEUP);
    if (openedAt === null || Date.now() - openedAt > HIDDEN_TIMEOUT_MS) void removeInaccessible(openedAt === null);
    openedAt = Date.now();
    return connection.request(
      () => openEventStream(streamOptions, { ...startPosition, unlistedChannelIds: feedIds }, attemptSignal),
      true,
    );
  }
  /**
   * Writes pending events to the offline store, one write at a time. Events that arrive during a write are batched into the
   * next one.
   */
  async function writePending(): Promise<void> {
    const [batch, id] = [pendingEvents, tab.lastEventId];
    pendingEvents = [];
    await offlineUpdater.apply(batch);
    if (id === null || signal.aborted || (batch.length === 0 && Date.now() - savedAt < POSITION_SAVE_INTERVAL_MS)) return;
    savedAt = Date.now();
    await offlineUpdater.saveLastEventId(id);
  }
  function handleBlock({ id, data }: EventStreamBlock): void {
    const message = { type: 'heard', id, data } as const;
    tab.broadcast(message);
    advanceStream(tab, id);
    const event = tab.applyEvent(data);
    if (event !== null) {
      pendingEvents.push(event);
      tab.recentEvents.push({ at: Date.now(), word: message });
      // Removes nothing while the difference is negative.
      tab.recentEvents.splice(0, tab.recentEvents.length - MAX_RECENT_EVENTS);
    }
    writing = writing.then(writePending);
  }

  const follower = followStream({ open, onBlock: handleBlock, isWanted, signal });
  tab.follower = follower;
  void follower.unsupported.then((isUnsupported) => isUnsupported && reportUnsupported(tab));
  const presenceTimer = setInterval(() => !isTabVisible() && tab.broadcast({ type: 'anyone' }), TAB_CHECK_INTERVAL_MS);
  signal.addEventListener('abort', () => {
    clearInterval(presenceTimer);
    if (tab.follower === follower) tab.follower = null;
  });
}

/** Records that the stream does not work, and reports it to the other tabs. */
function reportUnsupported(tab: TabState): void {
  tab.streamSupported = false;
  tab.broadcast({ type: 'useless' });
}

/**
 * Replies to a visible tab, if this tab is the leader: reports that the stream works, and sends the events that the other tab
 * missed.
 */
function replayEvents(tab: TabState, { tab: to, since }: PresenceMessage): void {
  if (tab.follower === null) return;
  tab.follower.reconnectNow();
  if (tab.streamSupported === false) tab.broadcast({ type: 'useless' });
  if (tab.streamSupported) tab.broadcast({ type: 'heard', id: null, data: null, to });
  for (const { at, word: message } of tab.recentEvents) if (at >= since) tab.broadcast({ ...message, to });
}

/** Handles a message of another tab. */
export function handleTabMessage(tab: TabState, message: TabMessage): void {
  switch (message.type) {
    case 'heard':
      handleEventMessage(tab, message);
      break;
    case 'here':
      tab.visibleAt = Date.now();
      replayEvents(tab, message);
      break;
    case 'anyone':
      if (isTabVisible()) tab.broadcast({ type: 'here', tab: tab.tabId, since: Date.now() });
      break;
    case 'useless':
      tab.streamSupported = false;
  }
}

function handleEventMessage(tab: TabState, { id, data, to = tab.tabId }: EventMessage): void {
  // The leader receives events from the stream. A message to a single tab contains events that the others already
  // received.
  if (tab.follower !== null || to !== tab.tabId) return;
  tab.leaderSeenAt = Date.now();
  advanceStream(tab, id);
  tab.applyEvent(data);
}
