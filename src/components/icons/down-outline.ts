/** Icon outline of `AnyIcon`: arrow down, for pages that use no other icon of it. */
export const DOWN_OUTLINE = 'm6 9 6 6 6-6';
