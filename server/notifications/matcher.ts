/**
 * Matcher: follows the event log and queues each new post for the readers who chose it. One process at a time matches, by
 * a lease; the stored position makes a page of readers an atomic step.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { FULL_ACCESS } from '../domain/model.ts';
import type { MatchPosition } from '../storage/ports/notifications.ts';
import type { Store, StoredEvent } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type MatcherDeps = {
  readonly store: Pick<
    Store,
    'eventsAfter' | 'lastEventId' | 'matchPosition' | 'matchPost' | 'notificationsNotBefore' | 'post' | 'skipToEvent'
  >;
  /** Unix ms. */
  readonly now: () => number;
};

/** Events that are read at once, and owners that one transaction queues. */
const EVENTS_PER_PAGE = 100;
const OWNERS_PER_PAGE = 500;
/** Seconds after which a post is too old to be new: an import of the past, or a feed that was added. */
const MAX_AGE_SECONDS = 86_400;

/**
 * Matches the events up to an id. Returns false if nothing was queued. The caller passes an id that is some time old, so
 * that an album is complete. Stops when another process has moved the position, or when the signal aborts.
 */
export async function matchEvents(upTo: number, deps: MatcherDeps, signal: AbortSignal): Promise<boolean> {
  const { store, now } = deps;
  const nowSeconds = Math.floor(now() / 1000);
  let position: MatchPosition | null = await store.matchPosition(nowSeconds);
  const oldest = Math.max(await store.notificationsNotBefore(), nowSeconds - MAX_AGE_SECONDS);
  let hasQueued = false;
  while (position !== null && position.eventId < upTo && !signal.aborted) {
    const events = await store.eventsAfter(position.eventId, EVENTS_PER_PAGE);
    // Events that were deleted meanwhile are too old.
    if (events === null) position = await skip(position, upTo, deps);
    else if (events.length === 0) return hasQueued;
    else {
      const due = events.filter(({ id }) => id <= upTo);
      const next = await findNewPost(due, oldest, deps);
      if (next === null) position = await skip(position, due.at(-1)?.id ?? upTo, deps);
      else {
        // While pages of a post remain, the first event is that post's, and its pages continue.
        const from: MatchPosition | null = next.id === due[0]?.id ? position : await skip(position, next.id - 1, deps);
        position = from && (await matchNewPost(from, next, deps, signal));
        hasQueued = true;
      }
    }
    await yieldToEventLoop();
  }
  return hasQueued;
}

async function skip(position: MatchPosition, eventId: number, { store }: MatcherDeps): Promise<MatchPosition | null> {
  return (await store.skipToEvent(position, eventId)) ? { eventId, phase: 'all', after: '' } : null;
}

/** Returns the first event of a post that readers may be notified of, or null. */
async function findNewPost(
  events: readonly StoredEvent[],
  oldest: number,
  { store }: MatcherDeps,
): Promise<(StoredEvent & { messageId: number }) | null> {
  for (const event of events) {
    const { kind, channelId, messageId } = event;
    if (kind !== 'new' || messageId === null) continue;
    const post = await store.post(channelId, messageId, FULL_ACCESS);
    if (post === null || post.service !== undefined || post.gone !== undefined || post.date < oldest) continue;
    return { ...event, messageId };
  }
  return null;
}

/** Queues a post for all pages of owners. */
async function matchNewPost(
  from: MatchPosition,
  { id: eventId, channelId, messageId }: StoredEvent & { messageId: number },
  deps: MatcherDeps,
  signal: AbortSignal,
): Promise<MatchPosition | null> {
  const { store, now } = deps;
  let position: MatchPosition | null = from;
  while (position !== null && position.eventId < eventId && !signal.aborted) {
    position = await store.matchPost(position, { eventId, channelId, postId: messageId, at: now() }, OWNERS_PER_PAGE);
    await yieldToEventLoop();
  }
  return signal.aborted ? null : position;
}
