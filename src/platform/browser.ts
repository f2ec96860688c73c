// Host for a plain browser: implements the platform interface without Telegram.

import { createSignal } from '../lib/signal.ts';
import type { Host, Insets, LaunchInfo } from './platform.ts';

export const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

const NO_LAUNCH: LaunchInfo = {
  launchData: () => null,
  readerId: () => null,
  startParam: () => null,
  language: () => null,
  dropLaunchData() {},
};

/**
 * Creates the host for a plain browser, or for a third-party page with one of our tags. It reads no launch data, except
 * `launch`, and posts no events; links open in a new tab.
 */
export function createBrowserHost(launch: LaunchInfo = NO_LAUNCH): Host {
  return {
    ...launch,
    kind: 'browser',
    platform: null,
    version: null,
    theme: createSignal({ scheme: null, colors: {} }),
    viewport: createSignal({ height: null, stableHeight: null, expanded: true, safeArea: NO_INSETS, contentSafeArea: NO_INSETS }),
    active: createSignal(true),
    supports: () => false,
    ready() {},
    expand() {},
    close() {},
    showBackButton: () => () => {},
    confirmClosing() {},
    allowVerticalSwipes() {},
    haptic() {},
    openLink: openTab,
    openTelegramLink: openTab,
    share: shareInBrowser,
    setColors() {},
  };
}

/** Opens a web URL in a new tab that has no access to this window. */
export function openTab(url: string): void {
  if (parseWebUrl(url) !== null) window.open(url, '_blank', 'noopener');
}

/** Parses an http or https URL; returns null for anything else (especially javascript:). */
export function parseWebUrl(url: string): URL | null {
  try {
    const parsed = new URL(url, location.href);
    return /^https?:$/.test(parsed.protocol) ? parsed : null;
  } catch {
    return null;
  }
}

async function shareInBrowser(url: string, text: string): ReturnType<Host['share']> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ url, text });
      return 'shared';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch {
    return 'failed';
  }
}
