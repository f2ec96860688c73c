/*
 * Doubles of Telegram clients that embed the app. They implement the side of the client in the event protocol, as measured:
 * JSON strings, accepted only from the frame that they embed.
 */

/**
 * The properties of a client. With `checksOrigin`, it posts only to the origin of the app and accepts messages only from there.
 */
export interface TelegramDouble {
  readonly name: string;
  readonly version: string;
  readonly platform: string;
  readonly answers: readonly ('theme' | 'viewport' | 'safe_area' | 'content_safe_area')[];
  readonly checksOrigin: boolean;
}

const ALL = ['theme', 'viewport', 'safe_area', 'content_safe_area'] as const;

export const WEB_A: TelegramDouble = { name: 'Web A', version: '9.6', platform: 'weba', answers: ALL, checksOrigin: false };
/** Responds neither to viewport nor to safe-area requests. */
export const WEB_K: TelegramDouble = { name: 'Web K', version: '9.6', platform: 'webk', answers: ['theme'], checksOrigin: false };
export const OLD: TelegramDouble = {
  name: 'a client of 6.0',
  version: '6.0',
  platform: 'weba',
  answers: ['theme', 'viewport'],
  checksOrigin: false,
};
export const STRICT: TelegramDouble = {
  name: 'a client that checks the origin',
  version: '9.6',
  platform: 'weba',
  answers: ALL,
  checksOrigin: true,
};
/** Responds to nothing, like the page in which the official script was measured. */
export const SILENT: TelegramDouble = {
  name: 'a silent client',
  version: '9.6',
  platform: 'weba',
  answers: [],
  checksOrigin: false,
};
export const SILENT_OLD: TelegramDouble = { ...SILENT, name: 'a silent client of 6.0', version: '6.0' };
/** Does not use a frame: the app is the page, and the client is represented by its proxy object (installProxy). */
export const ANDROID: TelegramDouble = {
  name: 'Android',
  version: '9.6',
  platform: 'android',
  answers: ALL,
  checksOrigin: false,
};

export const DARK = {
  bg_color: '#17212b',
  text_color: '#f5f5f5',
  hint_color: '#708499',
  link_color: '#6ab3f3',
  button_color: '#5288c1',
  button_text_color: '#ffffff',
  secondary_bg_color: '#232e3c',
};
export const LIGHT = {
  bg_color: '#ffffff',
  text_color: '#000000',
  hint_color: '#707579',
  link_color: '#3390ec',
  button_color: '#3390ec',
  button_text_color: '#ffffff',
  secondary_bg_color: '#f4f4f5',
  section_separator_color: '#e5e5e5',
  destructive_text_color: '#e53935',
};

/** Returns the URL hash with which Telegram opens an app. */
export function launchHash({ version, platform }: TelegramDouble, theme: object, launchData = ''): string {
  const params = {
    tgWebAppData: launchData,
    tgWebAppVersion: version,
    tgWebAppPlatform: platform,
    tgWebAppThemeParams: JSON.stringify(theme),
  };
  return `#${Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
}

/** A message of the app. */
export interface PostedMessage {
  readonly eventType: string;
  readonly eventData: unknown;
}

export interface EmbeddedApp {
  readonly posted: PostedMessage[];
  /** Sends the app an event, as the client would. */
  send(eventType: string, eventData: unknown): void;
}

/** Sizes in the responses of a client. */
export interface Sizes {
  readonly height: number;
  readonly safeArea: object;
  readonly contentSafeArea: object;
}

/** Embeds the app in a frame, as a web client does. `theme` and `sizes` are called again for each response. */
export function embedApp(
  frame: HTMLIFrameElement,
  double: TelegramDouble,
  now: { theme: () => object; sizes: () => Sizes; heard?: (posted: PostedMessage) => void },
): EmbeddedApp {
  const posted: PostedMessage[] = [];
  const origin = new URL(frame.src).origin;
  const send = (eventType: string, eventData: unknown) =>
    frame.contentWindow?.postMessage(JSON.stringify({ eventType, eventData }), double.checksOrigin ? origin : '*');
  const replies: Record<string, () => void> = {
    web_app_request_theme: () => send('theme_changed', { theme_params: now.theme() }),
    web_app_request_viewport: () =>
      send('viewport_changed', { height: now.sizes().height, is_expanded: true, is_state_stable: true }),
    web_app_request_safe_area: () => send('safe_area_changed', now.sizes().safeArea),
    web_app_request_content_safe_area: () => send('content_safe_area_changed', now.sizes().contentSafeArea),
  };
  window.addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || typeof data !== 'string') return;
    if (double.checksOrigin && from !== origin) return;
    const message = JSON.parse(data) as PostedMessage;
    posted.push(message);
    now.heard?.(message);
    const responseName = double.answers.find((name) => message.eventType === `web_app_request_${name}`);
    if (responseName !== undefined) replies[message.eventType]?.();
  });
  return { posted, send };
}
