import { type EventHandler, receiveFromParent, receiveNative } from './incoming.ts';
import { findNative } from './native.ts';

/** The way to the container that holds us. */
export interface Transport {
  readonly kind: 'native' | 'frame';
  post(type: string, data: unknown): void;
  listen(handle: EventHandler): void;
}

/**
 * Finds the container, in the order of the official script. A frame alone proves nothing: it must be of Telegram
 * (telegram-web.ts), and have launched us, which `launched` says. Null is a plain browser.
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
