/* Appearance preferences: theme (light or dark mode), text size and list density that the reader chose on this device. */
import { createSignal, type WritableSignal } from '../lib/signal.ts';
import { LIST_VIEW_KEY, TEXT_SIZE_KEY, THEME_KEY } from '../lib/storage-keys.ts';
import { createStoredValue, type StoredValue } from '../lib/web-storage.ts';
import { type Appearance, OWN_BACKGROUNDS, type Scheme, TEXT_SIZES, type TextSize } from '../theme/appearance.ts';

/** The theme that the reader chose on this device; absent before a choice. */
const chosenTheme = createStoredValue('device', THEME_KEY);
/** The text size that the reader chose on this device, in percent; absent before a choice. */
const chosenTextSize = createStoredValue('device', TEXT_SIZE_KEY);

/** Content of list rows that the reader chose on this device; absent before a choice. */
const chosenListView = createStoredValue('device', LIST_VIEW_KEY);

const DEFAULT_TEXT_SIZE = 100;

const parseTheme = (raw: string | null): Scheme | null => (raw === 'light' || raw === 'dark' ? raw : null);
const parseTextSize = (raw: string | null): TextSize => TEXT_SIZES.find((size) => String(size) === raw) ?? DEFAULT_TEXT_SIZE;
const parseListView = (raw: string | null): 'posts' | 'titles' => (raw === 'titles' ? raw : 'posts');

const applyTheme = (theme: Scheme | null): void => {
  if (theme === null) document.documentElement.removeAttribute('theme');
  else document.documentElement.setAttribute('theme', theme);
};
const applyTextSize = (size: TextSize): void => {
  document.documentElement.style.fontSize = size === DEFAULT_TEXT_SIZE ? '' : `${size}%`;
};

/** Applies the stored choices before the first paint. */
export function applyAppearanceEarly(): void {
  const theme = parseTheme(chosenTheme.read());
  const textSize = parseTextSize(chosenTextSize.read());
  if (theme !== null) applyTheme(theme);
  if (textSize !== DEFAULT_TEXT_SIZE) applyTextSize(textSize);
}

/**
 * Creates the appearance preferences and applies each change to the document. In Telegram,
 * src/platform/telegram/document-theme.ts applies the theme, because it knows Telegram's theme.
 */
export function createAppearance(kind: 'telegram' | 'browser'): Appearance {
  const appearance: Appearance = {
    theme: createStoredSignal(chosenTheme, parseTheme),
    textSize: createStoredSignal(chosenTextSize, parseTextSize),
    listView: createStoredSignal(chosenListView, parseListView),
  };
  const { theme, textSize } = appearance;
  textSize.subscribe(() => applyTextSize(textSize.get()));
  if (kind === 'browser') {
    theme.subscribe(() => applyTheme(theme.get()));
    syncBrowserBar(theme);
  }
  return appearance;
}

/** Creates a signal with a stored value; each new value is stored. */
function createStoredSignal<Value extends string | number | null>(
  stored: StoredValue,
  parse: (raw: string | null) => Value,
): WritableSignal<Value> {
  const signal = createSignal(parse(stored.read()));
  return {
    ...signal,
    set(value) {
      stored.write(value === null ? null : String(value));
      signal.set(value);
    },
  };
}

/**
 * Sets the colour of the browser's own toolbar (`theme-color`): the brand colour in the light theme, the page
 * background in the dark theme.
 */
function syncBrowserBar(theme: Appearance['theme']): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  if (meta === null) return;
  const brandColor = meta.content;
  const darkSystemQuery = matchMedia('(prefers-color-scheme: dark)');
  const updateColor = () => {
    const isDark = (theme.get() ?? (darkSystemQuery.matches ? 'dark' : 'light')) === 'dark';
    meta.content = isDark ? OWN_BACKGROUNDS.dark.ground : brandColor;
  };
  theme.subscribe(updateColor);
  darkSystemQuery.addEventListener('change', updateColor);
  updateColor();
}
