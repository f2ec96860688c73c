/** Outline of the icon that leads back: a chevron towards the start of the line. Mirrored where the interface is. */
export const PREVIOUS = 'm15 6-6 6 6 6';
