/** Error codes of file downloads, which pages translate to the reader's language; `other` is for causes that have no code. */
export const FILE_FAILURES = [
  ...(['too-large', 'too-large-for-bots', 'unknown', 'unreachable', 'broken-off', 'no-token', 'token-refused'] as const),
  ...(['asked-to-wait', 'disk-full', 'forbidden', 'status', 'share-used', 'other'] as const),
] as const;
export type FileFailure = (typeof FILE_FAILURES)[number];

/** Error codes of feed fetches, which pages translate to the reader's language; `other` is for causes that have no code. */
export const FEED_FAILURES = [
  ...(['gone', 'status', 'empty', 'broken', 'no-feed', 'slow-to-read', 'too-slow', 'too-large', 'torn', 'redirects'] as const),
  ...(['downgrade', 'certificate', 'unknown-host', 'forbidden', 'headers', 'unreachable', 'type', 'other'] as const),
] as const;
export type FeedFailure = (typeof FEED_FAILURES)[number];
