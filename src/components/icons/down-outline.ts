/** Icon outline: arrow down. A separate module for pages that use no other icon of `AnyIcon`. */
export const DOWN_OUTLINE = 'm6 9 6 6 6-6';
