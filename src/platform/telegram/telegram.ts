// Telegram host: implements the platform interface `Host` with Telegram's mini-app event protocol. The client is the
// Telegram program that runs the app. The app posts events to it, such as `web_app_ready`, and receives events from it,
// such as `theme_changed`.

import { createSignal } from '../../lib/signal.ts';
import { parseThemeColors, themeOf } from '../../theme/color.ts';
import type { Theme } from '../../theme/theme.ts';
import { NO_INSETS, openTab, parseWebUrl } from '../browser.ts';
import type { Haptic, HomeScreen, Host, Viewport } from '../platform.ts';
import { createContainerColors } from './container-colors.ts';
import { createLaunchInfo, type Launch, storeLaunch, VERSION_PARAM } from './launch.ts';
import { parseJson, type Transport } from './transport.ts';
import { changeInsets, changeViewport, eventField } from './viewport.ts';

const THEME_PARAM = 'tgWebAppThemeParams';

const INITIAL_VIEWPORT: Viewport = {
  height: null,
  stableHeight: null,
  expanded: true,
  safeArea: NO_INSETS,
  contentSafeArea: NO_INSETS,
};

/**
 * Creates the host for Telegram. At once it announces the app to the client, and requests the client's theme, viewport
 * and insets. It does not wait for the responses, which arrive as events.
 */
export function createTelegramHost(launch: Launch, transport: Transport): Host {
  const { params } = launch;
  const client = createTelegramClient(params.get(VERSION_PARAM) ?? '6.0', transport);
  const { version, supports, post, postSince } = client;
  const theme = createSignal<Theme>(themeOf(parseThemeColors(parseJson(params.get(THEME_PARAM)))));
  const viewport = createSignal(INITIAL_VIEWPORT);
  const active = createSignal(true);
  const containerColors = createContainerColors(post, supports, () => theme.get().colors);
  const backButton = createBackButton(client);
  const chatReply = createReply<'sent' | 'cancelled'>();
  const homeScreenReply = createReply<boolean>();
  const writeAccessReply = createReply<'allowed' | 'cancelled'>();

  listenTo(transport, {
    theme_changed(data) {
      const colors = parseThemeColors(eventField(data, 'theme_params'));
      if (Object.keys(colors).length === 0) return;
      // A theme with a background colour is complete and replaces the previous one, so that no colour of a light theme
      // remains in a dark one. An incomplete theme changes only its own colours.
      theme.set(themeOf(colors.bg_color === undefined ? { ...theme.get().colors, ...colors } : colors));
      params.set(THEME_PARAM, JSON.stringify(theme.get().colors));
      storeLaunch(params);
      containerColors.followTheme();
    },
    viewport_changed: (data) => viewport.set(changeViewport(viewport.get(), data)),
    safe_area_changed: (data) => viewport.set(changeInsets(viewport.get(), 'safeArea', data)),
    content_safe_area_changed: (data) => viewport.set(changeInsets(viewport.get(), 'contentSafeArea', data)),
    visibility_changed: (data) => active.set(eventField(data, 'is_visible') !== false),
    back_button_pressed: backButton.press,
    requested_chat_sent: () => chatReply.receive('sent'),
    requested_chat_failed: () => chatReply.receive('cancelled'),
    write_access_requested: (data) =>
      writeAccessReply.receive(eventField(data, 'status') === 'allowed' ? 'allowed' : 'cancelled'),
    // A status of 'missed' means that the app is not on the home screen.
    home_screen_checked: (data) => homeScreenReply.receive(['missed', 'unknown'].includes(String(eventField(data, 'status')))),
    reload_iframe() {
      transport.post('iframe_will_reload', undefined);
      location.reload();
    },
  });
  if (transport.kind === 'frame') post('iframe_ready', { reload_supported: true });
  containerColors.sendAll();
  for (const state of ['theme', 'viewport', 'safe_area', 'content_safe_area']) post(`web_app_request_${state}`);

  return {
    ...createLaunchInfo(launch),
    kind: 'telegram',
    platform: params.get('tgWebAppPlatform') ?? 'unknown',
    version,
    theme,
    viewport,
    active,
    supports,
    ready: () => post('web_app_ready'),
    expand: () => post('web_app_expand'),
    close: () => post('web_app_close', {}),
    showBackButton: backButton.show,
    confirmClosing: createClosingConfirmation(client),
    allowVerticalSwipes: (allow) => postSince('7.7', 'web_app_setup_swipe_behavior', { allow_vertical_swipe: allow }),
    haptic: (kind) => postSince('6.1', 'web_app_trigger_haptic_feedback', toHapticEvent(kind)),
    ...createLinkActions(client),
    setColors: containerColors.set,
    ...(supports('6.9') && {
      requestWriteAccess() {
        post('web_app_request_write_access');
        return writeAccessReply.next();
      },
    }),
    ...(supports('8.0') && { homeScreen: createHomeScreen(client, homeScreenReply) }),
    // Only native clients: web clients report version 9.6, but have no chat picker.
    ...(transport.kind === 'native' &&
      supports('9.6') && {
        requestChat(prepared) {
          post('web_app_request_chat', { req_id: prepared });
          return chatReply.next();
        },
      }),
  };
}

/** The Telegram client that runs the app: its version, and the functions that post events to it. */
interface TelegramClient {
  readonly kind: Transport['kind'];
  readonly version: string;
  /** Returns true if the client's version is at least this one. */
  supports(version: string): boolean;
  post(type: string, data?: unknown): void;
  /** Posts an event, unless the client's version is lower than `since`. */
  postSince(since: string, type: string, data?: unknown): void;
}

function createTelegramClient(version: string, transport: Transport): TelegramClient {
  const supports = (required: string) => compareVersions(version, required) >= 0;
  const post = (type: string, data: unknown = '') => transport.post(type, data);
  return {
    kind: transport.kind,
    version,
    supports,
    post,
    postSince(since, type, data) {
      if (supports(since)) post(type, data);
    },
  };
}

/** Passes each event of the client to the handler of its type; ignores the other events. */
function listenTo(transport: Transport, handlers: Record<string, (data: unknown) => void>): void {
  transport.listen((type, data) => {
    if (Object.hasOwn(handlers, type)) handlers[type]?.(data);
  });
}

/** Reply of the client to a request that the app posted. */
interface Reply<Value> {
  /** Waits for the next reply. */
  next(): Promise<Value>;
  /** Resolves the promise of the latest `next`. */
  receive(value: Value): void;
}

/**
 * Creates the reply to one kind of request. A reply resolves the latest request only; the promise of an earlier request
 * that has no reply yet never resolves.
 */
function createReply<Value>(): Reply<Value> {
  let resolve: ((value: Value) => void) | undefined;
  return {
    next: () =>
      new Promise((resolvePromise) => {
        resolve = resolvePromise;
      }),
    receive: (value) => resolve?.(value),
  };
}

/**
 * Creates the control of the client's back button. The button is visible while there is a handler; the latest handler
 * is called.
 */
function createBackButton({ postSince }: TelegramClient) {
  const handlers: (() => void)[] = [];
  let isShown = false;
  const update = () => {
    if (isShown === handlers.length > 0) return;
    isShown = !isShown;
    postSince('6.1', 'web_app_setup_back_button', { is_visible: isShown });
  };
  return {
    press: () => handlers.at(-1)?.(),
    show(handler: () => void): () => void {
      // A wrapper, so that the same handler passed twice creates two entries.
      const entry = () => handler();
      handlers.push(entry);
      update();
      return () => {
        const index = handlers.indexOf(entry);
        if (index < 0) return;
        handlers.splice(index, 1);
        update();
      };
    },
  };
}

/**
 * Creates the function that makes the client ask for a confirmation before it closes the app; see
 * `Host.confirmClosing`.
 */
function createClosingConfirmation({ postSince }: TelegramClient): Host['confirmClosing'] {
  /** Number of requests for a confirmation that have not ended. */
  let requests = 0;
  return (confirm) => {
    const previousRequests = requests;
    requests = Math.max(0, previousRequests + (confirm ? 1 : -1));
    if (previousRequests > 0 !== requests > 0) postSince('6.2', 'web_app_setup_closing_behavior', { need_confirmation: confirm });
  };
}

/**
 * Creates the functions that open and share links. Clients below version 6.1 cannot open links, so the browser opens
 * them.
 */
function createLinkActions({ kind, supports, post }: TelegramClient): Pick<Host, 'openLink' | 'openTelegramLink' | 'share'> {
  const openTelegramLink = (url: string) => {
    const parsed = parseWebUrl(url);
    if (parsed?.hostname !== 't.me') return;
    const path = parsed.pathname + parsed.search;
    if (kind === 'frame' || supports('6.1')) post('web_app_open_tg_link', { path_full: path });
    else location.href = `https://t.me${path}`;
  };
  return {
    openLink(url) {
      const parsed = parseWebUrl(url);
      if (parsed === null) return;
      if (supports('6.1')) post('web_app_open_link', { url: parsed.href });
      else openTab(parsed.href);
    },
    openTelegramLink,
    async share(url, text) {
      // Percent-encoding, not form encoding (URLSearchParams): clients show a `+` as a plus, not as a space.
      openTelegramLink(`https://t.me/share/url?url=${encodeURIComponent(url)}&text=${encodeURIComponent(text)}`);
      return 'shared';
    },
  };
}

function createHomeScreen({ post }: TelegramClient, reply: Reply<boolean>): HomeScreen {
  return {
    isMissing() {
      post('web_app_check_home_screen');
      return reply.next();
    },
    add: () => post('web_app_add_to_home_screen'),
  };
}

/** Converts a kind of haptic feedback to the data of the client's event. */
function toHapticEvent(kind: Haptic): object {
  if (kind === 'selection') return { type: 'selection_change' };
  if (kind === 'success' || kind === 'warning' || kind === 'error') return { type: 'notification', notification_type: kind };
  return { type: 'impact', impact_style: kind };
}

/**
 * Compares Bot API versions number by number: 6.10 is higher than 6.9. Negative if `left` is lower, 0 if they are
 * equal.
 */
function compareVersions(left: string, right: string): number {
  const [leftParts, rightParts] = [left, right].map((version) =>
    version
      .trim()
      .split('.')
      .map((part) => Number.parseInt(part, 10) || 0),
  ) as [number[], number[]];
  for (let index = 0; index < Math.max(leftParts.length, rightParts.length); index++) {
    const difference = (leftParts[index] ?? 0) - (rightParts[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
