/*
 * Web storage keys of this device (localStorage) and of this tab (sessionStorage). The names are stored on devices: a
 * new name would lose what readers chose. The offline data is in IndexedDB (src/storage, src/data/offline).
 */

/** Theme that the reader chose. */
export const THEME_KEY = 'changer_theme';
/** Text size that the reader chose, in percent. */
export const TEXT_SIZE_KEY = 'changer_text_size';
/** Content of list rows that the reader chose. */
export const LIST_VIEW_KEY = 'changer_list';
/** Language that the reader chose. */
export const LOCALE_KEY = 'changer_locale';
/** Setting of single-key shortcuts: on or off. */
export const SINGLE_KEYS_KEY = 'channel-changer.single-keys';
/** Number of posts and pictures that the reader wants to store on this device, as a level. */
export const RETENTION_KEY = 'changer_amount';

/** In sessionStorage: the access token (specification 3.1). */
export const TOKEN_KEY = 'access_token';
/** Reader who signed in last. */
export const LAST_READER_KEY = 'changer_reader';
/** Readers who signed in on this device. */
export const KNOWN_READERS_KEY = 'changer_readers';
/** In sessionStorage: reader to whom the token belongs. */
export const TOKEN_OWNER_KEY = 'changer_token_reader';
/** In sessionStorage, and also a field of the history state: launch parameters of Telegram for a reload. */
export const LAUNCH_KEY = 'changer_launch';

/** In sessionStorage: snapshot of the last page, if no service worker controls it; src/app/snapshot. */
export const PAGE_SNAPSHOT_KEY = 'changer_snapshot';

/** Time of the first visit, unix ms. */
export const FIRST_VISIT_KEY = 'changer_seen';
/** Set after the reader declined to add the app to the home screen. */
export const HOME_SCREEN_DECLINED_KEY = 'changer_home_screen';
/** Set after the reader has seen the hint about the line-up. */
export const LINEUP_HINT_KEY = 'channel-changer.dial-hint';
