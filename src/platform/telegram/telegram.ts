// Telegram host: implements the platform interface with Telegram's mini-app event protocol.

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
 * Creates the host for Telegram. It announces the app and requests the current state at once; nothing waits for the
 * responses.
 */
export function createTelegramHost(launch: Launch, transport: Transport): Host {
  const { params } = launch;
  const client = createTelegramClient(params.get(VERSION_PARAM) ?? '6.0', transport);
  const { version, supports, post, postSince } = client;
  const theme = createSignal<Theme>(themeOf(parseThemeColors(parseJson(params.get(THEME_PARAM)))));
  const viewport = createSignal(INITIAL_VIEWPORT);
  const active = createSignal(true);
  const bars = createContainerColors(post, supports, () => theme.get().colors);
  const backButton = createBackButton(client);
  const chatReply = createReply<'sent' | 'cancelled'>();
  const homeScreenReply = createReply<boolean>();

  listenTo(transport, {
    theme_changed(data) {
      const colors = parseThemeColors(eventField(data, 'theme_params'));
      if (Object.keys(colors).length === 0) return;
      // A complete theme replaces the previous one: a light theme's colours must not remain where a dark theme does not
      // define them.
      theme.set(themeOf(colors.bg_color === undefined ? { ...theme.get().colors, ...colors } : colors));
      params.set(THEME_PARAM, JSON.stringify(theme.get().colors));
      storeLaunch(params);
      bars.followTheme();
    },
    viewport_changed: (data) => viewport.set(changeViewport(viewport.get(), data)),
    safe_area_changed: (data) => viewport.set(changeInsets(viewport.get(), 'safeArea', data)),
    content_safe_area_changed: (data) => viewport.set(changeInsets(viewport.get(), 'contentSafeArea', data)),
    visibility_changed: (data) => active.set(eventField(data, 'is_visible') !== false),
    back_button_pressed: backButton.press,
    requested_chat_sent: () => chatReply.receive('sent'),
    requested_chat_failed: () => chatReply.receive('cancelled'),
    home_screen_checked: (data) => homeScreenReply.receive(['missed', 'unknown'].includes(String(eventField(data, 'status')))),
    reload_iframe() {
      transport.post('iframe_will_reload', undefined);
      location.reload();
    },
  });
  if (transport.kind === 'frame') post('iframe_ready', { reload_supported: true });
  bars.sendAll();
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
    setColors: bars.set,
    ...(supports('8.0') && { homeScreen: createHomeScreen(client, homeScreenReply) }),
    // Web clients report version 9.6, but open no picker.
    ...(transport.kind === 'native' &&
      supports('9.6') && {
        requestChat(prepared) {
          post('web_app_request_chat', { req_id: prepared });
          return chatReply.next();
        },
      }),
  };
}

/** The Telegram client that runs the app: its version, and the events that it receives. */
interface TelegramClient {
  readonly kind: Transport['kind'];
  readonly version: string;
  supports(version: string): boolean;
  post(type: string, data?: unknown): void;
  /** Posts an event, unless the client's version is lower than `since`. */
  postSince(since: string, type: string, data?: unknown): void;
}

function createTelegramClient(version: string, transport: Transport): TelegramClient {
  const supports = (wanted: string) => compareVersions(version, wanted) >= 0;
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

interface Reply<Value> {
  /** Waits for the next reply. */
  next(): Promise<Value>;
  receive(value: Value): void;
}

/** Creates the reply to the latest request of a kind. An earlier request that has no reply yet never resolves. */
function createReply<Value>(): Reply<Value> {
  let resolve: ((value: Value) => void) | undefined;
  return {
    next: () =>
      new Promise((done) => {
        resolve = done;
      }),
    receive: (value) => resolve?.(value),
  };
}

/** Creates the container's back button. It is visible while there is a handler; the latest handler wins. */
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
        const at = handlers.indexOf(entry);
        if (at < 0) return;
        handlers.splice(at, 1);
        update();
      };
    },
  };
}

/** Creates the function that requests a confirmation before the container closes; see `Host.confirmClosing`. */
function createClosingConfirmation({ postSince }: TelegramClient): Host['confirmClosing'] {
  let requests = 0;
  return (confirm) => {
    const before = requests;
    requests = Math.max(0, before + (confirm ? 1 : -1));
    if (before > 0 !== requests > 0) postSince('6.2', 'web_app_setup_closing_behavior', { need_confirmation: confirm });
  };
}

function createLinkActions({ kind, supports, post }: TelegramClient): Pick<Host, 'openLink' | 'openTelegramLink' | 'share'> {
  const openTelegramLink = (url: string) => {
    const address = parseWebUrl(url);
    if (address?.hostname !== 't.me') return;
    const path = address.pathname + address.search;
    if (kind === 'frame' || supports('6.1')) post('web_app_open_tg_link', { path_full: path });
    else location.href = `https://t.me${path}`;
  };
  return {
    openLink(url) {
      const address = parseWebUrl(url);
      if (address === null) return;
      if (supports('6.1')) post('web_app_open_link', { url: address.href });
      else openTab(address.href);
    },
    openTelegramLink,
    async share(url, text) {
      // Clients show a plus as a plus, so this needs percent-encoding, not form encoding.
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

function toHapticEvent(kind: Haptic): object {
  if (kind === 'selection') return { type: 'selection_change' };
  if (kind === 'success' || kind === 'warning' || kind === 'error') return { type: 'notification', notification_type: kind };
  return { type: 'impact', impact_style: kind };
}

/** Compares Bot API levels number by number: 6.10 is higher than 6.9. */
function compareVersions(left: string, right: string): number {
  const [leftParts, rightParts] = [left, right].map((version) =>
    version
      .trim()
      .split('.')
      .map((part) => Number.parseInt(part, 10) || 0),
  ) as [number[], number[]];
  for (let at = 0; at < Math.max(leftParts.length, rightParts.length); at++) {
    const difference = (leftParts[at] ?? 0) - (rightParts[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
