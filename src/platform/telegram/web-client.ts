/** Origins whose pages may hold the app as Telegram's web clients do; `frame-ancestors` of the server's policy has the same. */
const WEB_CLIENTS = ['https://web.telegram.org', location.origin];

/** A parent that has not answered for so long is no web client, ms. */
const ANSWER_TIMEOUT_MS = 1000;

/**
 * Returns whether the page that holds this one is a web client of Telegram. The browser says so where it can: Chromium and WebKit
 * name the parent's origin. In Firefox the parent is asked for its theme, and the origin of its answer counts. No page can forge
 * either.
 */
export async function isHeldByTelegram(): Promise<boolean> {
  if (window.parent === window) return false;
  const [parent] = location.ancestorOrigins ?? [];
  if (parent !== undefined) return WEB_CLIENTS.includes(parent);
  return new Promise((resolve) => {
    window.addEventListener('message', ({ source, origin }) => {
      if (source === window.parent && WEB_CLIENTS.includes(origin)) resolve(true);
    });
    setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS);
    // Delivered only where the parent is of the named origin.
    for (const origin of WEB_CLIENTS) window.parent.postMessage(JSON.stringify({ eventType: 'web_app_request_theme' }), origin);
  });
}
