/** Icon outline of `AnyIcon`: plus, for pages that use no other icon of it. */
export const PLUS_OUTLINE = 'M12 5v14M5 12h14';
