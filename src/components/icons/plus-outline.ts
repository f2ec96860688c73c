/** Icon outline: plus. A separate module for pages that use no other icon of `AnyIcon`. */
export const PLUS_OUTLINE = 'M12 5v14M5 12h14';
