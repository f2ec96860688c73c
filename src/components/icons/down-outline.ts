/** The arrow down of AnyIcon, for pages that draw no other icon of it. */
export const DOWN = 'm6 9 6 6 6-6';
