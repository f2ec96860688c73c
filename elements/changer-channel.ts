import { ChannelPage } from '../src/features/channel/ChannelPage.tsx';
import channelStyles from '../src/features/channel/channel.css';
import postListStyles from '../src/features/post-list/post-list.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/** Custom element that shows one channel. `channel-id` is its id or its username. */
define('changer-channel', ChannelPage, {
  styles: [postListStyles, channelStyles],
  attributes: { channelId: 'text', limit: 'count' },
});

declare global {
  interface HTMLElementTagNameMap {
    'changer-channel': ChangerElement & { channelId: string | undefined; limit: number | undefined };
  }
}
