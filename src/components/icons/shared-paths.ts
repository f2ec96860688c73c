/** Icon outline of saving and downloading, for the few modules that use it. */
export const SAVE_OUTLINE = 'M12 4v11m0 0 4-4m-4 4-4-4M5 19.500h14';

/** Icon outline of a bell, for the channel page, which uses no other icon of `AnyIcon`. */
export const BELL_OUTLINE = 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zm4.5 4.5h3';

/** Icon outline of the settings, for the sidebar of a wide window, which uses no other icon of `AnyIcon`. */
export const SETTINGS_OUTLINE = 'M5 7h8m4 0h2M5 17h2m4 0h8M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0';
