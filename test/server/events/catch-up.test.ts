// Catch-up of the event stream: no event is lost while the delivery of new events advances.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { catchUp } from '../../../server/events/catch-up.ts';
import type { Subscription } from '../../../server/events/subscription.ts';
import type { StoredEvent } from '../../../server/storage/ports/store.ts';

const storedEvent = (id: number): StoredEvent => ({ id, kind: 'refresh', channelId: '1', messageId: null });

/** Returns a subscription that missed the events after `lastEventNumber`, and the texts that its stream receives. */
function openSubscription(lastEventNumber: number): { subscription: Subscription; sent: string[] } {
  const sent: string[] = [];
  const stream = {
    send: (bytes: Buffer) => void sent.push(String(bytes)),
    drained: async () => {},
    isOpen: () => true,
    end() {},
  };
  const subscription: Subscription = {
    ownerKey: 'address 1',
    token: null,
    refreshAccess: null,
    channels: null,
    accessScope: { privateChannels: [] },
    extraChannels: new Set(),
    from: { id: String(lastEventNumber) },
    stream,
    lastEventNumber,
  };
  return { subscription, sent };
}

/** Catches up with a store whose reads `eventsAfter` answers, and returns what was sent, without heartbeats. */
async function runCatchUp(
  { subscription, sent }: ReturnType<typeof openSubscription>,
  delivery: { readonly position: number },
  eventsAfter: (after: number) => Promise<StoredEvent[]>,
): Promise<string[]> {
  await catchUp(subscription, {
    store: { eventsAfter },
    ids: { encode: String, decode: Number },
    encoder: {
      encodeFrames: async (events) =>
        events.map(({ id, channelId }) => {
          const bytes = Buffer.from(`event ${id}.`);
          return { number: id, channelId, external: false, forOthers: bytes, forMembers: bytes };
        }),
    },
    subscriptions: { markCaughtUp: () => void sent.push('caught up.') },
    recentPositions: { positionAt: (_ago, now) => now },
    delivery,
    readerChanges: { sendMissedChange() {} },
    closing: new AbortController().signal,
  });
  return sent.filter((text) => /\.$/.test(text));
}

describe('the catch-up of a client', () => {
  it('sends an event that is delivered to the other clients during the read', async () => {
    const opened = openSubscription(4);
    const delivery = { position: 4 };
    let reads = 0;
    const sent = await runCatchUp(opened, delivery, async (after) => {
      reads += 1;
      // The read finds nothing. Event 5 is stored and delivered before its result arrives.
      if (reads === 1) {
        delivery.position = 5;
        return [];
      }
      return [4, 5].filter((id) => id > after).map(storedEvent);
    });
    assert.deepEqual(sent, ['event 5.', 'caught up.']);
    assert.equal(opened.subscription.lastEventNumber, 5);
  });

  it('waits for the delivery of an event that another process has sent to the client, and does not send it again', async () => {
    const opened = openSubscription(5);
    const delivery = { position: 4 };
    setTimeout(() => {
      opened.sent.push('delivered.');
      delivery.position = 5;
    }, 20);
    assert.deepEqual(await runCatchUp(opened, delivery, async () => []), ['delivered.', 'caught up.']);
    assert.equal(opened.subscription.lastEventNumber, 5);
  });
});
