/* Scroll position of a prerendered page: keeps the posts in place when the app replaces it (part of handover.ts). */

/** Keeper of the last painted position of a post. */
interface PositionKeeper {
  /** Scrolls the window so that the post is in `root` where it was in the prerendered page. Then stops. */
  restoreIn(root: ShadowRoot | null): void;
  stop(): void;
}

const KEY_SELECTOR = 'article[data-key]';

/**
 * Records the first visible post and its position after each scroll. At the top of the page nothing is recorded, because
 * new posts may be above.
 */
export function createPositionKeeper(prerenderedRoot: ShadowRoot): PositionKeeper {
  let recorded: { readonly key: string | undefined; readonly top: number } | null = null;
  const record = (): void => {
    const articles = [...prerenderedRoot.querySelectorAll<HTMLElement>(KEY_SELECTOR)];
    const first = window.scrollY < 1 ? undefined : articles.find((article) => article.getBoundingClientRect().bottom > 0);
    recorded = first === undefined ? null : { key: first.dataset.key, top: first.getBoundingClientRect().top };
  };
  const stop = (): void => window.removeEventListener('scroll', record);
  window.addEventListener('scroll', record, { passive: true });
  // In the next frame, because it needs a layout.
  requestAnimationFrame(record);
  return {
    stop,
    restoreIn(root) {
      const position = recorded;
      stop();
      if (position === null || root === null) return;
      // The app restores its own saved position in a microtask; the reader may have scrolled since it was saved.
      queueMicrotask(() => {
        const article = [...root.querySelectorAll<HTMLElement>(KEY_SELECTOR)].find(({ dataset }) => dataset.key === position.key);
        const distance = (article?.getBoundingClientRect().top ?? position.top) - position.top;
        if (Math.abs(distance) >= 1) window.scrollBy({ top: distance, behavior: 'instant' });
      });
    },
  };
}
