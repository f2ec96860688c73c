// Leader tab: holds the event stream, forwards events to the other tabs, and applies them to the offline store.

import type { Happening } from '../../../contract/events.ts';
import { type Block, type EventsOptions, openEvents } from '../../api/event-stream.ts';
import type { Inside } from '../context.ts';
import { DEFAULT, feedsOf } from '../lineup/selectors.ts';
import type { LiveKept } from './apply-to-offline.ts';
import type { Here, Told, Word } from './leader-election.ts';
import { follow } from './stream-follower.ts';
import { advance, isSeen, type LiveTab, MAX_REPLAY_AGE_MS, TICK } from './tab-state.ts';

/** Time without a visible tab after which the stream is closed, ms. It resumes when a tab becomes visible. */
const UNSEEN = 60_000;
/** Number of recent events in the leader's memory, for tabs that open later. */
const REMEMBERED = 200;
/** Interval at which the device stores the last event id while no events arrive, ms. */
const NOTED = 60_000;
const DIRECTORY = JSON.stringify(['directory']);

/**
 * Leads until the signal aborts: holds the stream, forwards its events to the other tabs, and applies them to the offline
 * store.
 */
export function lead(
  tab: LiveTab,
  { api, link, things, state }: Inside,
  kept: LiveKept,
  events: EventsOptions,
  signal: AbortSignal,
): void {
  let openedAt: number | null = null;
  let work = Promise.resolve();
  let notedAt = 0;
  let due: Happening[] = [];

  const isWanted = () => isSeen() || Date.now() - tab.seenAt < UNSEEN;
  /** Compares the stored channels with the directory: the reader's access may have changed while no tab was connected. */
  async function compare(isFirst: boolean): Promise<void> {
    try {
      const { items } = await link.call((read) => api.channels(feedsOf(state.lineup.get() ?? DEFAULT), { ...read, fresh: true }));
      for (const channelId of await kept.compare(items)) {
        const data = JSON.stringify({ type: 'hidden', channelId });
        tab.tell({ type: 'heard', id: null, data });
        tab.effect(data);
      }
      if (!isFirst) await things.all.get(DIRECTORY)?.thing.renew?.();
    } catch {
      // The next opening of the stream tries again.
    }
  }
  /** Opens the stream after the tab's last event, or else after the last event that the device stored. */
  async function open(own: AbortSignal): ReturnType<typeof openEvents> {
    tab.place ??= await kept.place();
    const begin = tab.place === null ? { ago: Math.min(Date.now() - tab.since, MAX_REPLAY_AGE_MS) } : { after: tab.place };
    const also = feedsOf(state.lineup.get() ?? DEFAULT);
    if (openedAt === null || Date.now() - openedAt > UNSEEN) void compare(openedAt === null);
    openedAt = Date.now();
    return link.call(() => openEvents(events, { ...begin, also }, own), true);
  }
  /**
   * Writes pending events to the offline store, one write at a time. Events that arrive during a write are batched into the
   * next one.
   */
  async function write(): Promise<void> {
    const [batch, id] = [due, tab.place];
    due = [];
    await kept.follow(batch);
    if (id === null || signal.aborted || (batch.length === 0 && Date.now() - notedAt < NOTED)) return;
    notedAt = Date.now();
    await kept.note(id);
  }
  function heard({ id, data }: Block): void {
    const word = { type: 'heard', id, data } as const;
    tab.tell(word);
    advance(tab, id);
    const happened = tab.effect(data);
    if (happened !== null) {
      due.push(happened);
      tab.recent.push({ at: Date.now(), word });
      tab.recent.splice(0, tab.recent.length - REMEMBERED);
    }
    work = work.then(write);
  }

  const following = follow({ open, heard, isWanted, signal });
  tab.following = following;
  void following.useless.then((isUseless) => {
    if (!isUseless) return;
    tab.works = false;
    tab.tell({ type: 'useless' });
  });
  const asking = setInterval(() => !isSeen() && tab.tell({ type: 'anyone' }), TICK);
  signal.addEventListener('abort', () => {
    clearInterval(asking);
    if (tab.following === following) tab.following = null;
  });
}

/**
 * Replies to a visible tab, if this tab is the leader: reports that the stream works, and sends the events that the other tab
 * missed.
 */
export function welcome(tab: LiveTab, { tab: to, since }: Here): void {
  if (tab.following === null) return;
  tab.following.wake();
  if (tab.works === false) tab.tell({ type: 'useless' });
  if (tab.works) tab.tell({ type: 'heard', id: null, data: null, to });
  for (const { at, word } of tab.recent) if (at >= since) tab.tell({ ...word, to });
}

/** Handles a message of another tab. */
export function hear(tab: LiveTab, word: Word): void {
  switch (word.type) {
    case 'heard':
      hearEvent(tab, word);
      break;
    case 'here':
      tab.seenAt = Date.now();
      welcome(tab, word);
      break;
    case 'anyone':
      if (isSeen()) tab.tell({ type: 'here', tab: tab.name, since: Date.now() });
      break;
    case 'useless':
      tab.works = false;
  }
}

function hearEvent(tab: LiveTab, { id, data, to = tab.name }: Told): void {
  // The leader receives events from the stream. A message to a single tab contains events that the others already received.
  if (tab.following !== null || to !== tab.name) return;
  tab.heardAt = Date.now();
  advance(tab, id);
  tab.effect(data);
}
