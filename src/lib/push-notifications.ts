/* Names and the icon's badge that the page and the service worker share for push notifications. */

/** Returns the tag of a channel's notification: a notification replaces the shown one with the same tag. */
export const channelTag = (channelId: string): string => `channel:${channelId}`;

/** Tag of a digest, and key of its count. No channel has this id. */
export const DIGEST_TAG = 'digest';

/** Header with the token of this device (DEVICE_TOKEN_HEADER of the contract, whose module needs TypeBox). */
export const DEVICE_HEADER = 'x-changer-device';

/** Type of the worker's message that opens a path in the page. The page confirms it on the message's port. */
export const OPEN_PATH_MESSAGE = 'open-path';

/** Shows the number of new posts on the app's icon; 0 removes it. Does nothing if the browser has no badges. */
export async function setBadge(count: number): Promise<void> {
  // Absent in Firefox, and outside a secure context.
  const { setAppBadge, clearAppBadge }: Partial<NavigatorBadge> = navigator;
  try {
    await (count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator));
  } catch {
    // The system does not allow badges.
  }
}
