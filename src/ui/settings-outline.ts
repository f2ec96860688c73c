/** The outline of the settings' icon, for the sidebar of a wide window, which draws no other of AnyIcon's. */
export const SETTINGS = 'M5 7h8m4 0h2M5 17h2m4 0h8M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0';
