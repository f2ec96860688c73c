/** Upper limits of a line-up: number of entries and of presets. */
export const MOST_ENTRIES = 1000;
export const MOST_PRESETS = 100;
