/** The plus of AnyIcon, for pages that draw no other icon of it. */
export const PLUS = 'M12 5v14M5 12h14';
