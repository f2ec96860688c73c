// Transport of Telegram's event protocol: native bridge, or messages to the parent frame.

import { findNativeBridge } from './native-bridge.ts';

/** Connection to the container of the app. */
export interface Transport {
  readonly kind: 'native' | 'frame';
  post(type: string, data: unknown): void;
  listen(handle: ContainerEventHandler): void;
}

/**
 * Finds the container, in the order of the official script. A parent frame alone is not sufficient: it must belong to
 * Telegram (web-client.ts), and it must have launched the app (`launched`). Returns null in a plain browser.
 */
export function findTransport(launched: boolean): Transport | null {
  const post = findNativeBridge();
  if (post !== null) return { kind: 'native', listen: listenToNative, post };
  if (window.parent === window || !launched) return null;
  return {
    kind: 'frame',
    listen: listenToParent,
    // The parent's origin is not restricted here: `frame-ancestors` of our CSP restricts it, and the posted data is not
    // secret.
    post: (eventType, eventData) => window.parent.postMessage(JSON.stringify({ eventType, eventData }), '*'),
  };
}

/** Handler of Telegram's events: receives the name and the data of an event. The data is untrusted. */
export type ContainerEventHandler = (type: string, data: unknown) => void;

type ReceiveEvent = (type: unknown, data: unknown) => void;

/** Event queue of the inline script: stores events until the host exists; after that, they are passed to `receive`. */
export interface EarlyQueue {
  readonly events: (readonly [unknown, unknown])[];
  receive: ReceiveEvent | null;
}

declare global {
  interface Window {
    Telegram?: { WebView?: { receiveEvent: ReceiveEvent } };
    TelegramGameProxy?: { receiveEvent: ReceiveEvent };
    TelegramGameProxy_receiveEvent?: ReceiveEvent;
    TelegramWebviewProxy?: { postEvent(type: string, json: string): void };
    changerEarlyEvents?: EarlyQueue;
  }
}

/** Delivers the events that native clients sent since the document began, then all later ones. */
function listenToNative(handle: ContainerEventHandler): void {
  const receive: ReceiveEvent = (type, data) => {
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

/** Delivers the messages of a web client: JSON strings, only from the parent frame. */
function listenToParent(handle: ContainerEventHandler): void {
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

/** Parses JSON from the container; returns null if it is invalid. */
export function parseJson(raw: unknown): unknown {
  if (typeof raw !== 'string') return null;
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}
