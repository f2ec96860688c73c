/** Runs an action after the next paint. A browser paints no frame of a page in the background. */
export const afterPaint = (action: () => void): void => void requestAnimationFrame(() => setTimeout(action));
