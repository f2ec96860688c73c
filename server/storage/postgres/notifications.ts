// Notifications between the processes of one database: LISTEN and NOTIFY.

import { type BusMessage, formatBusMessage, parseBusMessage } from '../ports/bus-message.ts';
import type { SqlStatement } from '../sql/statements.ts';
import type { DatabaseConnection, Pool } from './connection-pool.ts';
import { prepareStatement } from './prepared-statements.ts';

/** Notification channel of the processes of one database. */
const NOTIFY_CHANNEL = 'changer_events';

/** Payload that reports appended events. Every other payload is a bus message. */
const EVENTS_APPENDED_PAYLOAD = '';

/**
 * Interval of the check for events even without a notification: a listening connection may be lost without an error.
 */
const POLL_INTERVAL_MS = 10_000;

const NOTIFY = 'SELECT pg_notify(?, ?)';

/** Notifies all processes of appended events, after the commit of the transaction. */
export const EVENTS_APPENDED_STATEMENT: SqlStatement = {
  text: NOTIFY,
  values: [NOTIFY_CHANNEL, EVENTS_APPENDED_PAYLOAD],
  returns: 'nothing',
};

const NOTIFY_STATEMENT = prepareStatement(NOTIFY);

/** Sends a message to all processes. */
export const publish = async (connection: DatabaseConnection, message: BusMessage): Promise<void> => {
  await connection.query(NOTIFY_STATEMENT.text, [NOTIFY_CHANNEL, formatBusMessage(message)], NOTIFY_STATEMENT.name);
};

/** Receives the notifications of all processes, from the first listener on. `onNotification` is called before the listeners. */
export const createNotifications = (pool: Pool, onNotification: () => void) => {
  const listeners = new Set<() => void>();
  const subscribers = new Set<(message: BusMessage) => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isListening = false;
  const notifyListeners = () => {
    onNotification();
    for (const listener of listeners) listener();
  };
  const receive = (payload: string) => {
    if (payload === EVENTS_APPENDED_PAYLOAD) return notifyListeners();
    onNotification();
    const message = parseBusMessage(payload);
    if (message !== null) for (const subscriber of subscribers) subscriber(message);
  };
  const listen = () => {
    if (isListening) return;
    isListening = true;
    // The listeners are also called when a lost connection is back, because something may have happened meanwhile.
    pool.listen(NOTIFY_CHANNEL, receive, notifyListeners);
    timer = setInterval(notifyListeners, POLL_INTERVAL_MS).unref();
  };
  return {
    notifyListeners,
    onChange(listener: () => void) {
      listeners.add(listener);
      listen();
      return () => void listeners.delete(listener);
    },
    subscribe(subscriber: (message: BusMessage) => void) {
      subscribers.add(subscriber);
      listen();
      return () => void subscribers.delete(subscriber);
    },
    stop() {
      listeners.clear();
      subscribers.clear();
      clearInterval(timer);
    },
  };
};
