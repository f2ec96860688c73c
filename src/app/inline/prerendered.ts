// Prerendered page: names that the inline scripts and the app share.

/** Id of the element with the prerendered page: server-rendered, or built from a snapshot. It hides the app (document.css). */
export const PRERENDERED_ID = 'drawn';
/**
 * Kinds of content of a page: the posts, those on the card of the dial, the numbers of the dial next to posts, and the rows
 * of the line-up. They come from different responses.
 */
export const CONTENT_SELECTORS = ['article', '.card-post-text', '.key', '[data-row]'] as const;
/** Matches skeletons, and content that is loading. */
export const LOADING_SELECTOR = '.bones, [aria-busy="true"]';
/** Matches the post that the address names. */
export const LINKED_POST_SELECTOR = 'article[aria-current]';
