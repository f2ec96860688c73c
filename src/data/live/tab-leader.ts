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
const DIRECTORY_KEY = JSON.stringify(['directory']);

/**
 * Leads until the signal aborts: holds the stream, forwards its events to the other tabs, and applies them to the offline
 * store.
 */
export function leadStream(
  tab: TabState,
  { api, connection: link, cache: things, userState: state }: DataContext,
  kept: OfflineUpdater,
  events: EventStreamOptions,
  signal: AbortSignal,
): void {
  let openedAt: number | null = null;
  let work = Promise.resolve();
  let notedAt = 0;
  let due: LiveEvent[] = [];

  const isWanted = () => isTabVisible() || Date.now() - tab.visibleAt < HIDDEN_TIMEOUT_MS;
  /** Compares the stored channels with the directory: the reader's access may have changed while no tab was connected. */
  async function compare(isFirst: boolean): Promise<void> {
    try {
      const { items } = await link.request((read) =>
        api.channels(externalFeedIds(state.lineup.get() ?? DEFAULT_LINEUP), { ...read, fresh: true }),
      );
      for (const channelId of await kept.removeMissingChannels(items)) {
        const data = JSON.stringify({ type: 'hidden', channelId });
        tab.broadcast({ type: 'heard', id: null, data });
        tab.applyEvent(data);
      }
      if (!isFirst) await things.entries.get(DIRECTORY_KEY)?.query.refetch?.();
    } catch {
      // The next opening of the stream tries again.
    }
  }
  /** Opens the stream after the tab's last event, or else after the last event that the device stored. */
  async function open(own: AbortSignal): ReturnType<typeof openEventStream> {
    tab.lastEventId ??= await kept.lastEventId();
    const begin =
      tab.lastEventId === null ? { ago: Math.min(Date.now() - tab.since, MAX_REPLAY_AGE_MS) } : { after: tab.lastEventId };
    const also = externalFeedIds(state.lineup.get() ?? DEFAULT_LINEUP);
    if (openedAt === null || Date.now() - openedAt > HIDDEN_TIMEOUT_MS) void compare(openedAt === null);
    openedAt = Date.now();
    return link.request(() => openEventStream(events, { ...begin, also }, own), true);
  }
  /**
   * Writes pending events to the offline store, one write at a time. Events that arrive during a write are batched into the
   * next one.
   */
  async function write(): Promise<void> {
    const [batch, id] = [due, tab.lastEventId];
    due = [];
    await kept.apply(batch);
    if (id === null || signal.aborted || (batch.length === 0 && Date.now() - notedAt < POSITION_SAVE_INTERVAL_MS)) return;
    notedAt = Date.now();
    await kept.saveLastEventId(id);
  }
  function heard({ id, data }: EventStreamBlock): void {
    const word = { type: 'heard', id, data } as const;
    tab.broadcast(word);
    advanceStream(tab, id);
    const happened = tab.applyEvent(data);
    if (happened !== null) {
      due.push(happened);
      tab.recentEvents.push({ at: Date.now(), word });
      tab.recentEvents.splice(0, tab.recentEvents.length - MAX_RECENT_EVENTS);
    }
    work = work.then(write);
  }

  const following = followStream({ open, onBlock: heard, isWanted, signal });
  tab.follower = following;
  void following.unsupported.then((isUseless) => {
    if (!isUseless) return;
    tab.streamSupported = false;
    tab.broadcast({ type: 'useless' });
  });
  const asking = setInterval(() => !isTabVisible() && tab.broadcast({ type: 'anyone' }), TAB_CHECK_INTERVAL_MS);
  signal.addEventListener('abort', () => {
    clearInterval(asking);
    if (tab.follower === following) tab.follower = null;
  });
}

/**
 * Replies to a visible tab, if this tab is the leader: reports that the stream works, and sends the events that the other tab
 * missed.
 */
export function replayEvents(tab: TabState, { tab: to, since }: PresenceMessage): void {
  if (tab.follower === null) return;
  tab.follower.reconnectNow();
  if (tab.streamSupported === false) tab.broadcast({ type: 'useless' });
  if (tab.streamSupported) tab.broadcast({ type: 'heard', id: null, data: null, to });
  for (const { at, word } of tab.recentEvents) if (at >= since) tab.broadcast({ ...word, to });
}

/** Handles a message of another tab. */
export function handleTabMessage(tab: TabState, word: TabMessage): void {
  switch (word.type) {
    case 'heard':
      handleEventMessage(tab, word);
      break;
    case 'here':
      tab.visibleAt = Date.now();
      replayEvents(tab, word);
      break;
    case 'anyone':
      if (isTabVisible()) tab.broadcast({ type: 'here', tab: tab.name, since: Date.now() });
      break;
    case 'useless':
      tab.streamSupported = false;
  }
}

function handleEventMessage(tab: TabState, { id, data, to = tab.name }: EventMessage): void {
  // The leader receives events from the stream. A message to a single tab contains events that the others already received.
  if (tab.follower !== null || to !== tab.name) return;
  tab.leaderSeenAt = Date.now();
  advanceStream(tab, id);
  tab.applyEvent(data);
}
