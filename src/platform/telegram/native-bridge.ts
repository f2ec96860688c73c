/** Native bridge: posts an event to the native Telegram client that contains the app. The data is sent as JSON. */
export type NativePost = (type: string, data: unknown) => void;

/** Finds the native client, in the order of the official script; returns null if there is none. */
export function findNativeBridge(): NativePost | null {
  const proxy = window.TelegramWebviewProxy;
  if (typeof proxy?.postEvent === 'function') return (type, data) => proxy.postEvent(type, JSON.stringify(data));
  const notify = externalNotify();
  return notify && ((eventType, eventData) => notify(JSON.stringify({ eventType, eventData })));
}

/** Returns `window.external.notify` of desktop clients. The browser's own `external` object has no such method. */
function externalNotify(): ((json: string) => void) | null {
  const external: unknown = Reflect.get(window, 'external');
  if (typeof external !== 'object' || external === null) return null;
  const notify: unknown = Reflect.get(external, 'notify');
  return typeof notify === 'function' ? (json) => void Reflect.apply(notify, external, [json]) : null;
}
