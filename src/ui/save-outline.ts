/** The outline of saving and of downloading, for the few parts that draw it. */
export const SAVE = 'M12 4v11m0 0 4-4m-4 4-4-4M5 19.500h14';
