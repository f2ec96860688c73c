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

describe('the catch-up of a client', () => {
  it('sends an event that is delivered to the other clients during the read', async () => {
    const { subscription, sent } = openSubscription(4);
    const delivery = { position: 4 };
    let reads = 0;
    await catchUp(subscription, {
      store: {
        async eventsAfter(after) {
          reads += 1;
          // The read finds nothing. Event 5 is stored and delivered before its result arrives.
          if (reads === 1) {
            delivery.position = 5;
            return [];
          }
          return [4, 5].filter((id) => id > after).map(storedEvent);
        },
      },
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
    assert.deepEqual(
      sent.filter((text) => /\.$/.test(text)),
      ['event 5.', 'caught up.'],
    );
    assert.equal(subscription.lastEventNumber, 5);
  });
});
