/*
 * Closes notifications whose posts are read: when the read marker of a channel passes the post that the notification
 * shows, on this device or, at the next visit, on another one.
 */
import { channelTag, DIGEST_TAG, setBadge } from '../../lib/push-notifications.ts';
import { totalCount, updatePushCounts } from '../../storage/push-storage.ts';
import type { DataClient } from '../model/client.ts';
import { findRegistration } from './push-subscription.ts';

/** Delay after a change of the read markers, ms. They change often while the reader scrolls. */
const DELAY_MS = 500;

/** Closes the notifications of read posts from now on, and the digest once. Returns a function that stops this. */
export function closeReadNotifications({ readMarkers }: Pick<DataClient, 'readMarkers'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => void closeRead(readMarkers.get()).catch(() => {});
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(close, DELAY_MS);
  };
  const unsubscribe = readMarkers.subscribe(schedule);
  schedule();
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

/** Closes the notifications of posts up to the read markers, and lowers the badge. */
async function closeRead(markers: ReadonlyMap<string, number>): Promise<void> {
  const isRead = (channelId: string, postId: number) => (markers.get(channelId) ?? 0) >= postId;
  const shown = (await (await findRegistration())?.getNotifications()) ?? [];
  for (const notification of shown) {
    const { countKey, postId } = Object(notification.data);
    if (typeof countKey === 'string' && notification.tag === channelTag(countKey) && isRead(countKey, postId))
      notification.close();
  }
  const counts = await updatePushCounts((previous) =>
    Object.fromEntries(
      // The reader is in the app, so the digest has done its work.
      Object.entries(previous).filter(([key, { postId }]) => key !== DIGEST_TAG && !isRead(key, postId)),
    ),
  );
  await setBadge(totalCount(counts));
}
