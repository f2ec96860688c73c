/**
 * Runs inline in the page's head, before anything is loaded: native clients call these functions as soon as the document
 * exists. What comes before the app is kept for it.
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
