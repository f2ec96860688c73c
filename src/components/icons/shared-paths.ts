/** The outline of saving and of downloading, for the few parts that draw it. */
export const SAVE = 'M12 4v11m0 0 4-4m-4 4-4-4M5 19.500h14';

/** The outline of the settings' icon, for the sidebar of a wide window, which draws no other of AnyIcon's. */
export const SETTINGS = 'M5 7h8m4 0h2M5 17h2m4 0h8M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0';
