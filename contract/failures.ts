/** Codes by which pages say in the reader's language why a file was not fetched; `other` for what has no code. */
export const FILE_FAILURES = [
  ...(['too-large', 'too-large-for-bots', 'unknown', 'unreachable', 'broken-off', 'no-token', 'token-refused'] as const),
  ...(['asked-to-wait', 'disk-full', 'forbidden', 'status', 'share-used', 'other'] as const),
] as const;
export type FileFailure = (typeof FILE_FAILURES)[number];

/** Codes by which pages say in the reader's language why a feed was not read; `other` for what has no code. */
export const FEED_FAILURES = [
  ...(['gone', 'status', 'empty', 'broken', 'no-feed', 'slow-to-read', 'too-slow', 'too-large', 'torn', 'redirects'] as const),
  ...(['downgrade', 'certificate', 'unknown-host', 'forbidden', 'headers', 'unreachable', 'type', 'other'] as const),
] as const;
export type FeedFailure = (typeof FEED_FAILURES)[number];
