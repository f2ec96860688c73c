/**
 * Early events of Telegram: an inline script in the page's head, which runs before anything is loaded. Native clients
 * call these functions as soon as the document exists. Events that arrive before the app are queued for it.
 */
import type { EarlyQueue } from './transport.ts';

const early: EarlyQueue = { events: [], receive: null };
const receiveEvent = (type: unknown, data: unknown): void => {
  if (early.receive === null) early.events.push([type, data]);
  else early.receive(type, data);
};

const telegram = window.Telegram ?? {};
telegram.WebView = { receiveEvent };
window.Telegram = telegram;
window.TelegramGameProxy = { receiveEvent };
window.TelegramGameProxy_receiveEvent = receiveEvent;
window.changerEarlyEvents = early;
