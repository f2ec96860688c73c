/**
 * Maximum wait, ms. Chromium can leave a callback waiting forever: after a mouse move it may plan no idle time until it draws the
 * next frame, and an unchanged page draws none.
 */
const DEFAULT_TIMEOUT_MS = 2000;

/** Waits until the browser is idle, or until the timeout in ms. */
export const whenIdle = (timeout = DEFAULT_TIMEOUT_MS): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout });
    else setTimeout(resolve, 50);
  });
