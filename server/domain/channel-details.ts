import type { Channel } from '../../contract/channel.ts';

/** Fields of a channel that the store derives from its posts. */
export type DerivedChannelField = 'latest' | 'pinned' | 'pinnedPosts';

/**
 * Channel details: returns a channel without the fields that the store derives from its posts. The result can be
 * written back.
 */
export function omitDerivedFields({
  latest: _latest,
  pinned: _pinned,
  pinnedPosts: _pinnedPosts,
  ...details
}: Channel): Omit<Channel, DerivedChannelField> {
  return details;
}
