/**
 * Error codes of file downloads, which pages translate to the reader's language. A code is sent and stored, so it never
 * changes.
 */
export const FILE_FAILURES = [
  /** Larger than the limit for files. */
  'too-large',
  /** Larger than 20 MB: Telegram's public Bot API does not send such a file. */
  'too-large-for-bots',
  /** Telegram does not have the file. */
  'unknown',
  /** The server could not be reached. */
  'unreachable',
  /** The download was interrupted. */
  'broken-off',
  /** `BOT_TOKEN` is missing. */
  'no-token',
  /** Telegram rejected `BOT_TOKEN`. */
  'token-refused',
  /** Telegram limits the rate of requests. */
  'asked-to-wait',
  'disk-full',
  /** Files at this address may not be fetched. */
  'forbidden',
  /** The server responded with an HTTP error status. */
  'status',
  /** The feeds that readers added have used their share of `MEDIA_QUOTA`. */
  'share-used',
  /** A cause without a code. */
  'other',
] as const;
export type FileFailure = (typeof FILE_FAILURES)[number];

/**
 * Error codes of feed fetches, which pages translate to the reader's language. A code is sent and stored, so it never
 * changes.
 */
export const FEED_FAILURES = [
  /** The server responded with status 410: the feed was removed permanently. */
  'gone',
  /** The server responded with another HTTP error status. */
  'status',
  /** The response is empty. */
  'empty',
  /** The feed is malformed and cannot be parsed. */
  'broken',
  /** The response is not an RSS, Atom or JSON feed. */
  'no-feed',
  /** The feed takes too long to parse. */
  'slow-to-read',
  /** The response takes too long to arrive. */
  'too-slow',
  'too-large',
  /** The response was interrupted, or cannot be decompressed. */
  'torn',
  /** Too many redirects. */
  'redirects',
  /** A redirect from https to http. */
  'downgrade',
  /** The certificate of the server is not valid. */
  'certificate',
  /** The host name does not exist. */
  'unknown-host',
  /** The address may not be fetched (SSRF protection). */
  'forbidden',
  /** Too many response headers, or no valid HTTP response. */
  'headers',
  /** The server could not be reached. */
  'unreachable',
  /** A content type that is not accepted. */
  'type',
  /** A cause without a code. */
  'other',
] as const;
export type FeedFailure = (typeof FEED_FAILURES)[number];
