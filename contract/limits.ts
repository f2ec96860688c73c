/** Upper limits of a line-up: number of entries and of presets. */
export const MAX_LINEUP_ENTRIES = 1000;
export const MAX_PRESETS = 100;

/** Maximum number of channels in one request of the API, and in one page of the directory. */
export const MAX_CHANNELS_PER_REQUEST = 200;

/** Maximum length of a feed's URL. */
export const MAX_FEED_URL_LENGTH = 2000;

/** Time for which shared caches use a public response of the API, s. */
export const SHARED_CACHE_SECONDS = 10;
