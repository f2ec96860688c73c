// Platform interface: the host (Telegram or a browser) as the app sees it.

import type { Signal } from '../lib/signal.ts';
import type { Scheme } from '../theme/appearance.ts';
import type { Theme } from '../theme/theme.ts';

/** Insets in px: of the device's safe area, or of the container's own controls inside it. */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Visible area of the app in the container. Heights in px; null until the container reports them. */
export interface Viewport {
  readonly height: number | null;
  /** Height that does not change while the reader drags or an animation runs. */
  readonly stableHeight: number | null;
  readonly expanded: boolean;
  readonly safeArea: Insets;
  readonly contentSafeArea: Insets;
}

export type Haptic = 'light' | 'medium' | 'heavy' | 'rigid' | 'soft' | 'selection' | 'success' | 'warning' | 'error';

/** Launch data about the reader, with the same interface in every container. */
export interface LaunchInfo {
  /**
   * Returns the raw signed launch data; null for keyboard and inline launches, and after `dropLaunchData`.
   */
  launchData(): string | null;
  /**
   * Returns the unverified user id of the launch data. It only selects which reader's stored data is shown, never what
   * the server returns.
   */
  readerId(): string | null;
  /** Returns the start parameter of the signed data, otherwise of the URL; null if neither has one. */
  startParam(): string | null;
  /** Returns the unverified language of the launch data's user, such as `ru`. */
  language(): string | null;
  /** Discards the launch data until the next launch (signing out). */
  dropLaunchData(): void;
}

export interface HomeScreen {
  /**
   * Returns true if the app is not on the home screen, as far as the client knows. A client without this feature may
   * never respond.
   */
  isMissing(): Promise<boolean>;
  /** Requests from the client that it offers to add the app to the home screen. */
  add(): void;
}

/**
 * The host of the app: Telegram or a browser. In a browser, every call does nothing and posts nothing. In Telegram, a
 * call that the client's version does not support does nothing. No call waits for a response.
 */
export interface Host extends LaunchInfo {
  readonly kind: 'telegram' | 'browser';
  /** Telegram's platform name: android, ios, tdesktop, weba, webk, macos, …; null in a browser. */
  readonly platform: string | null;
  /** Bot API level of the client, such as `6.0`; null in a browser. */
  readonly version: string | null;
  readonly theme: Signal<Theme>;
  readonly viewport: Signal<Viewport>;
  /** False while the container reports that the app is hidden. */
  readonly active: Signal<boolean>;
  supports(version: string): boolean;
  ready(): void;
  expand(): void;
  close(): void;
  /** Shows the container's back button until the returned function is called. A press calls the latest handler. */
  showBackButton(handler: () => void): () => void;
  /**
   * Requests a confirmation by the container before it closes. Each call with `true` needs one call with `false`; the
   * last one ends it.
   */
  confirmClosing(confirm: boolean): void;
  allowVerticalSwipes(allow: boolean): void;
  haptic(kind: Haptic): void;
  /** Opens an https URL outside the app; in a browser, in a new tab. */
  openLink(url: string): void;
  /** Opens a https://t.me URL in Telegram; in a browser, in a new tab. */
  openTelegramLink(url: string): void;
  /** Shares a link: with Telegram's dialog, the system's dialog, or the clipboard. Returns the result. */
  share(url: string, text: string): Promise<'shared' | 'copied' | 'cancelled' | 'failed'>;
  /**
   * Opens Telegram's own picker for a request that the server prepared (`prepared` is its id); absent if the client has
   * no picker. Resolves with the result; never resolves if the client does not report it.
   */
  requestChat?(prepared: string): Promise<'sent' | 'cancelled'>;
  /**
   * Asks the reader whether the bot may write to them; absent if the client's version cannot. Resolves with the result;
   * never resolves if the client does not report it.
   */
  requestWriteAccess?(): Promise<'allowed' | 'cancelled'>;
  /** The device's home screen; absent unless the client's version can add the app to it. */
  readonly homeScreen?: HomeScreen;
  setColors(colors: { header?: string; background?: string; bottomBar?: string }): void;
}

/** The host of the app itself, which owns the document. */
export interface AppHost extends Host {
  /**
   * Applies the container's theme, or the theme that the reader chose, and the container's insets to the document, with
   * live updates. Does nothing in a browser.
   */
  applyDocumentTheme(chosen: Signal<Scheme | null>): void;
}
