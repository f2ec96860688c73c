/**
 * Icon outline of the back button: a chevron towards the start of the line. It is mirrored if the interface is
 * right-to-left.
 */
export const PREVIOUS_OUTLINE = 'm15 6-6 6 6 6';
