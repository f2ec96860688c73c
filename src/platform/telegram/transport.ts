import { findNative } from './native-bridge.ts';

/** The way to the container that holds us. */
export interface Transport {
  readonly kind: 'native' | 'frame';
  post(type: string, data: unknown): void;
  listen(handle: EventHandler): void;
}

/**
 * Finds the container, in the order of the official script. A frame alone proves nothing: it must be of Telegram
 * (web-client.ts), and have launched us, which `launched` says. Null is a plain browser.
 */
export function findTransport(launched: boolean): Transport | null {
  const post = findNative();
  if (post !== null) return { kind: 'native', listen: receiveNative, post };
  if (window.parent === window || !launched) return null;
  return {
    kind: 'frame',
    listen: receiveFromParent,
    // Any origin may hold us here: frame-ancestors of our policy says who may, and nothing secret is posted.
    post: (eventType, eventData) => window.parent.postMessage(JSON.stringify({ eventType, eventData }), '*'),
  };
}

/** Called with Telegram's event name and data; the data is whatever the container sent. */
export type EventHandler = (type: string, data: unknown) => void;

type Receive = (type: unknown, data: unknown) => void;

/** What the inline script keeps until the host is there; it then hands over to `receive`. */
export interface EarlyQueue {
  readonly events: (readonly [unknown, unknown])[];
  receive: Receive | null;
}

declare global {
  interface Window {
    Telegram?: { WebView?: { receiveEvent: Receive } };
    TelegramGameProxy?: { receiveEvent: Receive };
    TelegramGameProxy_receiveEvent?: Receive;
    TelegramWebviewProxy?: { postEvent(type: string, json: string): void };
    changerEarlyEvents?: EarlyQueue;
  }
}

/** Hands over what native clients sent since the document began, then what they send. */
export function receiveNative(handle: EventHandler): void {
  const receive: Receive = (type, data) => {
    if (typeof type === 'string') handle(type, data);
  };
  const early = window.changerEarlyEvents;
  if (early === undefined) {
    window.Telegram = { ...window.Telegram, WebView: { receiveEvent: receive } };
    window.TelegramGameProxy = { receiveEvent: receive };
    window.TelegramGameProxy_receiveEvent = receive;
    return;
  }
  early.receive = receive;
  for (const [type, data] of early.events.splice(0)) receive(type, data);
}

/** Hands over what a web client posts: JSON strings, from the page that holds us and from nobody else. */
export function receiveFromParent(handle: EventHandler): void {
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent) return;
    const message = parseMessage(data);
    if (message !== null) handle(message.type, message.data);
  });
}

function parseMessage(raw: unknown): { type: string; data: unknown } | null {
  const message = parseJson(raw);
  if (typeof message !== 'object' || message === null || !('eventType' in message)) return null;
  if (typeof message.eventType !== 'string') return null;
  return { type: message.eventType, data: 'eventData' in message ? message.eventData : undefined };
}

/** Parses JSON of the container; null where it is none. */
export function parseJson(raw: unknown): unknown {
  if (typeof raw !== 'string') return null;
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}
