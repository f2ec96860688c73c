// Telegram container colours: header, background and bottom bar around the app.

import { parseColor } from '../../theme/color.ts';
import type { ThemeColors } from '../../theme/theme.ts';

type PostEvent = (type: string, data: unknown) => void;
type ContainerArea = 'header' | 'background' | 'bottomBar';

/**
 * Creates the control of the container's colours. Each colour is the name of a theme colour, or a colour value; a name
 * follows the theme. It posts only changes, and only what this client's version supports, like the official script.
 */
export function createContainerColors(post: PostEvent, supports: (version: string) => boolean, theme: () => ThemeColors) {
  const wanted: Record<ContainerArea, string> = { header: 'bg_color', background: 'bg_color', bottomBar: 'bottom_bar_bg_color' };
  const posted: Partial<Record<ContainerArea, string>> = {};
  let isSecondaryButtonReported = false;

  const send = (part: ContainerArea, type: string, color: string | undefined, data: unknown) => {
    if (color === undefined || posted[part] === color) return;
    posted[part] = color;
    post(type, data);
  };
  const sendHeader = () => {
    const color = wanted.header;
    send('header', 'web_app_set_header_color', color, color.startsWith('#') ? { color } : { color_key: color });
  };
  const sendBackground = () => {
    const color = resolveColor(wanted.background, theme());
    send('background', 'web_app_set_background_color', color, { color });
  };
  const sendBottomBar = () => {
    const color = resolveColor(wanted.bottomBar, theme());
    send('bottomBar', 'web_app_set_bottom_bar_color', color, { color });
  };
  /**
   * The bottom bar's colour is also the default colour of the secondary button. The official script then reports, once, that
   * the button is hidden.
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
      const header = toHeaderColor(colors.header, supports, theme());
      if (header !== null) {
        wanted.header = header;
        sendHeader();
      }
      const background = supports('6.1') ? toColor(colors.background) : null;
      if (background !== null) {
        wanted.background = background;
        sendBackground();
      }
      const bottomBar = supports('7.10') ? toColor(colors.bottomBar) : null;
      if (bottomBar !== null) {
        wanted.bottomBar = bottomBar;
        sendBottomBar();
        reportSecondaryButton();
      }
    },
  };
}

function resolveColor(color: string, theme: ThemeColors): string | undefined {
  if (color === 'bottom_bar_bg_color') return theme.bottom_bar_bg_color ?? theme.secondary_bg_color ?? '#ffffff';
  return color.startsWith('#') ? color : theme[color];
}

const isThemeColorName = (color: string): boolean => ['bg_color', 'secondary_bg_color', 'bottom_bar_bg_color'].includes(color);
const toColor = (raw: string | undefined): string | null => (raw !== undefined && isThemeColorName(raw) ? raw : parseColor(raw));

/**
 * Converts a header colour. Before version 6.9, clients accept only the two names; a colour value that equals one of them is
 * converted to its name.
 */
function toHeaderColor(raw: string | undefined, supports: (version: string) => boolean, theme: ThemeColors): string | null {
  if (raw === undefined || !supports('6.1')) return null;
  const names = ['bg_color', 'secondary_bg_color'];
  if (names.includes(raw)) return raw;
  const color = parseColor(raw);
  return supports('6.9') ? color : (names.find((name) => color !== null && theme[name] === color) ?? null);
}
