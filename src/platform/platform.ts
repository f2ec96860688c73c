import type { Readable } from '../lib/signal.ts';
import type { Scheme } from '../theme/appearance.ts';
import type { Theme } from '../theme/theme.ts';

/** Pixels that the container covers: the device's safe area, and the container's own controls inside it. */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface Viewport {
  readonly height: number | null;
  readonly stableHeight: number | null;
  readonly expanded: boolean;
  readonly safeArea: Insets;
  readonly contentSafeArea: Insets;
}

export type Haptic = 'light' | 'medium' | 'heavy' | 'rigid' | 'soft' | 'selection' | 'success' | 'warning' | 'error';

/** What the launch said of its reader, the same in every container. */
export interface LaunchFacts {
  /** The raw signed launch data, or null: absent for keyboard and inline launches, and after it was dropped. */
  launchData(): string | null;
  /** The unverified user id of the launch data: picks which reader's kept data is shown, never what the server answers. */
  readerId(): string | null;
  /** Of the signed data, else of the address. */
  startParam(): string | null;
  /** The unverified language of the launch data's user, as `ru`. */
  language(): string | null;
  /** Forgets the launch data until the next launch (signing out). */
  dropLaunchData(): void;
}

export interface HomeScreen {
  /** Whether we are not there, as far as the client knows. A client that has no way there may never answer. */
  isMissing(): Promise<boolean>;
  /** Has the client ask the reader. */
  add(): void;
}

/**
 * What holds the app: Telegram or a browser. In a browser every call is inert and posts nothing; inside Telegram a call that
 * the client is too old for does nothing. Nothing waits for an answer.
 */
export interface Host extends LaunchFacts {
  readonly kind: 'telegram' | 'browser';
  /** Telegram's words: android, ios, tdesktop, weba, webk, macos, …; null in a browser. */
  readonly platform: string | null;
  /** The Bot API level of the client, as `6.0`; null in a browser. */
  readonly version: string | null;
  readonly theme: Readable<Theme>;
  readonly viewport: Readable<Viewport>;
  /** False while the container says the app is hidden. */
  readonly active: Readable<boolean>;
  supports(version: string): boolean;
  ready(): void;
  expand(): void;
  close(): void;
  /** Shows the container's back button until the returned function is called; the latest handler wins. */
  showBackButton(handler: () => void): () => void;
  /** Has the container ask before it closes; each `true` is taken back by one `false`, and the last of these ends it. */
  confirmClosing(confirm: boolean): void;
  allowVerticalSwipes(allow: boolean): void;
  haptic(kind: Haptic): void;
  /** Opens an https address outside the app; in a browser a new tab. */
  openLink(url: string): void;
  /** Opens a https://t.me address in Telegram; in a browser a new tab. */
  openTelegramLink(url: string): void;
  /** Offers a link to others: Telegram's sheet, the system's, else the clipboard; says which it was. */
  share(url: string, text: string): Promise<'shared' | 'copied' | 'cancelled' | 'failed'>;
  /**
   * Opens Telegram's own picker for a request that the server prepared; absent where the client has none. Says whether a chat
   * was chosen; nothing at all where the client does not tell.
   */
  requestChat?(prepared: string): Promise<'sent' | 'cancelled'>;
  /** The device's home screen, where Telegram says that it can put us there. */
  readonly homeScreen?: HomeScreen;
  setColors(colors: { header?: string; background?: string; bottomBar?: string }): void;
}

/** The host as the app itself has it: the document is the app's own. */
export interface AppHost extends Host {
  /** Keeps the document in the container's theme, or in the one that its reader chose, and within its insets, live; nothing in a browser. */
  dressDocument(chosen: Readable<Scheme | null>): void;
}
