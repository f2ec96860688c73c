/** The most posts that a reader keeps unread: counts of unread posts are asked for with all of them in an address. */
export const MAX_KEPT_UNREAD = 500;
