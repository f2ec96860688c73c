/**
 * Access refresh: loads the read permissions of the clients again, and reports the channels to which they lost access.
 */
import type { EventIdCodec } from './event-ids.ts';
import { encodeFrame } from './frames.ts';
import { isSubscribedTo, revokedChannels, type Subscription } from './subscription.ts';

/** Refreshes the permissions of these subscriptions, in parallel. Never rejects. */
export async function refreshAccessOfAll(subscriptions: readonly Subscription[], ids: EventIdCodec): Promise<void> {
  await Promise.all(subscriptions.map((subscription) => refreshAccess(subscription, ids)));
}

async function refreshAccess(subscription: Subscription, ids: EventIdCodec): Promise<void> {
  if (subscription.refreshAccess === null) return;
  try {
    const [previous, current] = [subscription.accessScope, await subscription.refreshAccess()];
    Object.assign(subscription, current);
    for (const channelId of revokedChannels(previous, current.accessScope))
      if (isSubscribedTo(subscription, { channelId, external: false }))
        subscription.stream.send(encodeFrame(ids, subscription.lastEventNumber, { type: 'hidden', channelId }));
  } catch {
    // The session has ended, or the permissions cannot be determined. The client reconnects and learns the reason from
    // that response.
    subscription.stream.end();
  }
}
