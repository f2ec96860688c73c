/* Heights of the groups of posts of a prerendered page: the app renders the groups that are far from the window later. */

const GROUP_SELECTOR = '.leaf';
/** Distance from the window within which the app renders a group at once. */
const NEAR_MARGIN = '50%';

/**
 * Writes the height of each group, px, and `data-far` for a group far below the window. Uses an observer, because reading the
 * heights would force a layout.
 */
export function observeGroupHeights(prerenderedRoot: ShadowRoot): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const { height, top } = boundingClientRect;
        (target as HTMLElement).dataset.height = `${height}`;
        target.toggleAttribute('data-far', !isIntersecting && top > 0);
      }
    },
    // In the frame of another site, a margin has an effect only with the document as root.
    { root: document, rootMargin: NEAR_MARGIN },
  );
  for (const group of prerenderedRoot.querySelectorAll(GROUP_SELECTOR)) observer.observe(group);
}
