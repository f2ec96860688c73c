/**
 * Origins of Telegram's web clients, which may embed the app. `frame-ancestors` of the server's CSP has the same list.
 */
const WEB_CLIENT_ORIGINS = ['https://web.telegram.org', location.origin];

/** Timeout for the parent's response, ms. A parent frame that does not respond in time is not a web client. */
const RESPONSE_TIMEOUT_MS = 1000;

/**
 * Detects Telegram Web: returns true if the parent frame is a Telegram web client. Chromium and WebKit report the
 * parent's origin. In Firefox, this function requests the theme from the parent, and checks the origin of its response.
 * No page can forge either.
 */
export async function isEmbeddedByTelegram(): Promise<boolean> {
  if (window.parent === window) return false;
  const [parent] = location.ancestorOrigins ?? [];
  if (parent !== undefined) return WEB_CLIENT_ORIGINS.includes(parent);
  return new Promise((resolve) => {
    const settle = (isEmbedded: boolean): void => {
      window.removeEventListener('message', handleMessage);
      resolve(isEmbedded);
    };
    const handleMessage = ({ source, origin }: MessageEvent): void => {
      if (source === window.parent && WEB_CLIENT_ORIGINS.includes(origin)) settle(true);
    };
    window.addEventListener('message', handleMessage);
    setTimeout(settle, RESPONSE_TIMEOUT_MS, false);
    // A message is delivered only if the parent has the given origin.
    for (const origin of WEB_CLIENT_ORIGINS)
      window.parent.postMessage(JSON.stringify({ eventType: 'web_app_request_theme' }), origin);
  });
}
