import type { CDPSession } from 'playwright-core';

/** Measurements of a page by the watch script, in ms except for `shift`. */
export interface PageMeasurement {
  /** Time after the first frame in which the content is visible; 0 before. */
  readonly content: number;
  /** Blocking time of the main thread: of each task the time beyond 50 ms. */
  readonly blocking: number;
  /** Layout shift. */
  readonly shift: number;
  /** Time from the slowest tap to the next paint (INP); 16 if no tap took longer. */
  readonly tap: number;
  /** Time of the last activity: a task, a request, a shift or the first content. */
  readonly last: number;
}

/**
 * Script that runs in a page before any other, and records its `PageMeasurement` in `window.benched`. The content is an
 * element with text that matches `content` in the document or in the shadow root of a host, or of a `div` in a host. It
 * is a string, because a compiled function would call helpers of its compiler.
 */
export const watchScript = (hosts: string, content: string): string => `
  const benched = (window.benched = { content: 0, blocking: 0, shift: 0, tap: 16, last: 0 });
  const observe = (type, record) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        record(entry);
        benched.last = Math.max(benched.last, entry.startTime + entry.duration);
      }
    }).observe({ type, buffered: true });
  observe('layout-shift', ({ value }) => (benched.shift += value));
  observe('longtask', ({ duration }) => (benched.blocking += duration - 50));
  observe('resource', () => {});
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) benched.tap = Math.max(benched.tap, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  const rootsOf = (host) =>
    [host.shadowRoot, ...[...host.querySelectorAll('div')].map((child) => child.shadowRoot)].filter((root) => root !== null);
  const isVisible = (element) =>
    element?.getBoundingClientRect().height > 0 &&
    element.textContent.trim() !== '' &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const checkFrame = () => {
    const roots = [document, ...[...document.querySelectorAll(${JSON.stringify(hosts)})].flatMap(rootsOf)];
    if (!roots.some((root) => isVisible(root.querySelector(${JSON.stringify(content)})))) return requestAnimationFrame(checkFrame);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (benched.last = benched.content = performance.now());
    port2.postMessage(0);
  };
  requestAnimationFrame(checkFrame);
`;

/** Returns true if the content is visible, and nothing has happened for `quietMs`. Runs in the page. */
const isAtRest = (quietMs: number): boolean => {
  const { content, last } = Reflect.get(window, 'benched') as PageMeasurement;
  return content > 0 && performance.now() - last > quietMs;
};

/** Time between two evaluations of `isAtRest`, ms. */
const POLL_INTERVAL_MS = 250;

/**
 * Waits until the content of a page is visible, and nothing has happened for `quietMs`. `page.waitForFunction` would run
 * a script of 35 ms in the page, often just before the content is painted, and a function in each frame.
 */
export async function waitUntilAtRest(devtools: CDPSession, quietMs: number, timeoutMs: number): Promise<void> {
  const expression = `(${isAtRest})(${quietMs})`;
  const end = performance.now() + timeoutMs;
  while (performance.now() < end) {
    const { result } = await devtools.send('Runtime.evaluate', { expression });
    if (result.value === true) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error(`The page is not at rest after ${timeoutMs} ms.`);
}

/** Returns the measurement so far. Runs in the page. */
export const readMeasurement = (): PageMeasurement => Reflect.get(window, 'benched');
