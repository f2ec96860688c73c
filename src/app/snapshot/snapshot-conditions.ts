import { appAddress } from '../../lib/links.ts';
import { LAST_READER_KEY, LIST_VIEW_KEY, TEXT_SIZE_KEY, THEME_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';
import { earlyLaunchParam, earlyLaunchUser } from '../../platform/telegram/early-launch.ts';
import { appScriptPath } from '../inline/held-scripts.ts';
import { initialLocale } from '../locale-preference.ts';

/** Width from which the layout has a side bar. */
const WIDE_QUERY = '(min-width: 1024px)';

/**
 * Returns the id of the launched reader, null for an anonymous one. An id that is not that of the reader who signed in last
 * on this device is 'unknown', which matches no reader.
 */
export function snapshotReader(): string | null {
  const { id } = earlyLaunchUser();
  if (id === undefined) return null;
  return createStoredValue('device', LAST_READER_KEY).read() === String(id) ? String(id) : 'unknown';
}

/**
 * Returns the conditions of a page snapshot: everything that determines how the app would show the page, such as the
 * build, the brand, the reader, the language and the theme. A snapshot is valid if its conditions are those of the current
 * document. The inline script needs them before the app starts, so they are read from the document and from web storage.
 */
export function snapshotConditions(): string {
  const read = (key: string) => createStoredValue('device', key).read();
  return JSON.stringify([
    appScriptPath(),
    document.querySelector<HTMLMetaElement>('meta[name=changer-brand]')?.content,
    snapshotReader(),
    initialLocale(earlyLaunchUser().language_code),
    [THEME_KEY, TEXT_SIZE_KEY, LIST_VIEW_KEY].map(read),
    earlyLaunchParam('tgWebAppThemeParams'),
    matchMedia(WIDE_QUERY).matches,
  ]);
}

/**
 * Returns the address of the page in the app, with its query. A start parameter leads to another page, so there is no
 * address until the app has applied it.
 */
export function pageAddress(): string | null {
  return /StartParam|start_param/.test(location.href) ? null : appAddress(location);
}
