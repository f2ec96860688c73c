import type { Channel } from '../../../contract/channel.ts';
import { withoutPosts } from '../../domain/channel-details.ts';
import type { ChannelChange } from '../../domain/model.ts';
import { ALL_CHANNELS, type FeedWork } from './feed-work.ts';

type Change = Partial<Pick<ChannelChange, 'title' | 'about' | 'picture' | 'state' | 'since'>>;

/** Changes a feed's channel as it stands now; one that is gone, or that an operator archived meanwhile, is left as it is. */
export async function changeChannel(id: string, changeOf: (held: Channel) => Change, { store }: FeedWork): Promise<void> {
  const held = await store.channel(id, ALL_CHANNELS);
  if (held === null || held.state === 'archived') return;
  await store.putChannel({ ...withoutPosts(held), ...changeOf(held) });
}
