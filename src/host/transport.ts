import { type EventHandler, receiveFromParent, receiveNative } from './incoming.ts';

/** The way to the container that holds us. */
export interface Transport {
  readonly kind: 'native' | 'frame';
  post(type: string, data: unknown): void;
  listen(handle: EventHandler): void;
}

/**
 * Finds the container, in the order of the official script. A frame alone proves nothing (a page may hold us as any other
 * page): it must also have launched us, which `launched` says. Null is a plain browser.
 */
export function findTransport(launched: boolean): Transport | null {
  const proxy = window.TelegramWebviewProxy;
  if (typeof proxy?.postEvent === 'function') {
    return { kind: 'native', listen: receiveNative, post: (type, data) => proxy.postEvent(type, JSON.stringify(data)) };
  }
  const notify = externalNotify();
  if (notify !== null) {
    return {
      kind: 'native',
      listen: receiveNative,
      post: (eventType, eventData) => notify(JSON.stringify({ eventType, eventData })),
    };
  }
  if (window.parent === window || !launched) return null;
  return {
    kind: 'frame',
    listen: receiveFromParent,
    // Any origin may hold us here: frame-ancestors of our policy says who may, and nothing secret is posted.
    post: (eventType, eventData) => window.parent.postMessage(JSON.stringify({ eventType, eventData }), '*'),
  };
}

/** `window.external.notify` of desktop clients; the platform's own `external` has no such method. */
function externalNotify(): ((json: string) => void) | null {
  const external: unknown = Reflect.get(window, 'external');
  if (typeof external !== 'object' || external === null) return null;
  const notify: unknown = Reflect.get(external, 'notify');
  return typeof notify === 'function' ? (json) => void Reflect.apply(notify, external, [json]) : null;
}
