/**
 * Limit of posts kept unread: the maximum number of posts that a reader marks as unread. The request for unread counts
 * contains all of them in its URL.
 */
export const MAX_KEPT_UNREAD = 500;
