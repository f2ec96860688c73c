// Telegram container colours: header, background and bottom bar around the app.

import { parseColor } from '../../theme/color.ts';
import type { ThemeColors } from '../../theme/theme.ts';

type PostEvent = (type: string, data: unknown) => void;
type ContainerArea = 'header' | 'background' | 'bottomBar';

/**
 * Creates the functions that set the container's colours. Each colour is the name of a theme colour, or a colour value;
 * a named colour changes with the theme. They post only changes, and only those that the client's version supports,
 * like Telegram's official script (telegram-web-app.js).
 */
export function createContainerColors(post: PostEvent, supports: (version: string) => boolean, themeColors: () => ThemeColors) {
  const requested: Record<ContainerArea, string> = {
    header: 'bg_color',
    background: 'bg_color',
    bottomBar: 'bottom_bar_bg_color',
  };
  const posted: Partial<Record<ContainerArea, string>> = {};
  let isSecondaryButtonReported = false;

  const send = (area: ContainerArea, type: string, color: string | undefined, data: unknown) => {
    if (color === undefined || posted[area] === color) return;
    posted[area] = color;
    post(type, data);
  };
  const sendHeader = () => {
    const color = requested.header;
    send('header', 'web_app_set_header_color', color, color.startsWith('#') ? { color } : { color_key: color });
  };
  const sendBackground = () => {
    const color = resolveColor(requested.background, themeColors());
    send('background', 'web_app_set_background_color', color, { color });
  };
  const sendBottomBar = () => {
    const color = resolveColor(requested.bottomBar, themeColors());
    send('bottomBar', 'web_app_set_bottom_bar_color', color, { color });
  };
  /**
   * Reports once that the secondary button is hidden. The bottom bar's colour is also the default colour of that
   * button, so the official script reports the button when the colour changes.
   */
  const reportSecondaryButton = () => {
    if (!isSecondaryButtonReported) post('web_app_setup_secondary_button', { is_visible: false });
    isSecondaryButtonReported = true;
  };
  const sendAll = () => {
    sendHeader();
    sendBackground();
    sendBottomBar();
  };
  return {
    sendAll,
    /** Posts the colours that change with the theme. */
    followTheme() {
      reportSecondaryButton();
      sendAll();
    },
    set(colors: { header?: string; background?: string; bottomBar?: string }) {
      const header = toHeaderColor(colors.header, supports, themeColors());
      if (header !== null) {
        requested.header = header;
        sendHeader();
      }
      const background = supports('6.1') ? toColor(colors.background) : null;
      if (background !== null) {
        requested.background = background;
        sendBackground();
      }
      const bottomBar = supports('7.10') ? toColor(colors.bottomBar) : null;
      if (bottomBar !== null) {
        requested.bottomBar = bottomBar;
        sendBottomBar();
        reportSecondaryButton();
      }
    },
  };
}

/** Returns the value of a colour; undefined if the theme does not define its name. */
function resolveColor(color: string, theme: ThemeColors): string | undefined {
  if (color === 'bottom_bar_bg_color') return theme.bottom_bar_bg_color ?? theme.secondary_bg_color ?? '#ffffff';
  return color.startsWith('#') ? color : theme[color];
}

const isThemeColorName = (color: string): boolean => ['bg_color', 'secondary_bg_color', 'bottom_bar_bg_color'].includes(color);
/** Validates a colour of the caller: returns its theme name or its value; null if it is neither. */
const toColor = (raw: string | undefined): string | null => (raw !== undefined && isThemeColorName(raw) ? raw : parseColor(raw));

/**
 * Validates a header colour; null if the client cannot show it. Clients before version 6.9 accept only the names
 * `bg_color` and `secondary_bg_color`, so a colour value that equals one of these theme colours is converted to its
 * name.
 */
function toHeaderColor(raw: string | undefined, supports: (version: string) => boolean, theme: ThemeColors): string | null {
  if (raw === undefined || !supports('6.1')) return null;
  const names = ['bg_color', 'secondary_bg_color'];
  if (names.includes(raw)) return raw;
  const color = parseColor(raw);
  return supports('6.9') ? color : (names.find((name) => color !== null && theme[name] === color) ?? null);
}
