// Notification methods of the store.

import type { NotificationStore } from '../ports/notifications.ts';
import type { Engine } from './engine.ts';
import * as choices from './notification-choices.ts';
import * as devices from './notification-devices.ts';
import * as matching from './notification-matching.ts';
import * as queue from './notification-queue.ts';
import type { Operation } from './statements.ts';

/**
 * Name of the lock of all writes to the queue and to devices. They do not wait for writes of posts, and writes of posts
 * do not wait for them.
 */
const QUEUE_LOCK = 'notifications';

function* writeSettings(
  owner: string,
  settings: Parameters<NotificationStore['putNotificationSettings']>[1],
  now: number,
): Operation<void> {
  yield* choices.writeNotificationSettings(owner, settings);
  yield* queue.makeDue(owner, now);
}

/** Creates the notification methods of the store. */
export const createNotificationStore = ({ read, write }: Engine): NotificationStore => {
  const writeQueue = <T>(operation: Operation<T>): Promise<T> => write(operation, QUEUE_LOCK);
  return {
    notificationSettings: (owner) => read(choices.readNotificationSettings(owner)),
    putNotificationSettings: (owner, settings, now) => writeQueue(writeSettings(owner, settings, now)),
    notificationChoices: (owner) => read(choices.readNotificationChoices(owner)),
    putNotificationChoice: (owner, choice) => writeQueue(choices.writeNotificationChoice(owner, choice)),
    deleteNotifications: (owner) => writeQueue(devices.deleteNotificationsOf(owner)),
    setBotAccess: (readerId, mayWrite) => writeQueue(choices.writeBotAccess(readerId, mayWrite)),

    notificationDevices: (owner) => read(devices.readDevices(owner)),
    notificationDevice: (tokenHash) => read(devices.readDevice(tokenHash)),
    putNotificationDevice: (device, now) => writeQueue(devices.writeDevice(device, now)),
    touchNotificationDevice: (id, now) => writeQueue(devices.touchDevice(id, now)),
    deleteNotificationDevice: (owner, id) => writeQueue(devices.deleteDevice(owner, id)),

    matchPosition: async (now) => (await read(matching.readPosition())) ?? writeQueue(matching.readOrCreatePosition(now)),
    skipToEvent: (from, eventId) => writeQueue(matching.skipToEvent(from, eventId)),
    matchPost: (from, post, limit) => writeQueue(matching.matchPost(from, post, limit)),
    notificationsNotBefore: () => read(matching.readNotBefore()),
    resetNotifications: () => writeQueue(matching.resetNotifications()),

    queueTest: async ({ id, owner, target }, now) => void (await writeQueue(queue.queueTest(id, owner, target, now))),
    queueRead: async (readerId, posts, exceptTokenHash, now) => {
      if (!(await read(queue.isReadNotified(readerId, posts)))) return false;
      await writeQueue(queue.queueRead(readerId, posts, exceptTokenHash, now));
      return true;
    },
    // Most checks find nothing that is due, and only due notifications justify the write lock.
    claimNotifications: async (target, options) => {
      const due = await read(queue.readNextDue(target));
      return due === null || due > options.now ? null : writeQueue(queue.claimNotifications(target, options));
    },
    beginSending: (claimId, recipients) => writeQueue(queue.beginSending(claimId, recipients)),
    finishSending: (claimId, results, now) => writeQueue(queue.finishSending(claimId, results, now)),
    nextNotificationDue: (target) => read(queue.readNextDue(target)),
    notificationCounts: (now) => read(queue.readNotificationCounts(now)),
  };
};
