/** A document that is no feed, or one that cannot be read; `message` is a sentence. */
export class FeedUnreadable extends Error {
  override readonly name = 'FeedUnreadable';
}
