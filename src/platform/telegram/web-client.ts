/** Origins of Telegram's web clients, which may embed the app. `frame-ancestors` of the server's policy has the same list. */
const WEB_CLIENTS = ['https://web.telegram.org', location.origin];

/** A parent frame that does not respond within this time is no web client, ms. */
const ANSWER_TIMEOUT_MS = 1000;

/**
 * Detects Telegram Web: returns true if the parent frame is a Telegram web client. Chromium and WebKit report the parent's
 * origin. In Firefox, this function requests the theme from the parent, and checks the origin of its response. No page can
 * forge either.
 */
export async function isEmbeddedByTelegram(): Promise<boolean> {
  if (window.parent === window) return false;
  const [parent] = location.ancestorOrigins ?? [];
  if (parent !== undefined) return WEB_CLIENTS.includes(parent);
  return new Promise((resolve) => {
    window.addEventListener('message', ({ source, origin }) => {
      if (source === window.parent && WEB_CLIENTS.includes(origin)) resolve(true);
    });
    setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS);
    // A message is delivered only if the parent has the given origin.
    for (const origin of WEB_CLIENTS) window.parent.postMessage(JSON.stringify({ eventType: 'web_app_request_theme' }), origin);
  });
}
