import { ChannelPage } from '../src/pages/ChannelPage.tsx';
import styles from '../src/pages/channel.css';
import post from '../src/pages/posts/posts.css';
import { type ChangerElement, define } from './define.ts';

/** One channel: `channel-id` is its id or its username. */
define('changer-channel', ChannelPage, { styles: [post, styles], attributes: { channelId: 'text', limit: 'count' } });

declare global {
  interface HTMLElementTagNameMap {
    'changer-channel': ChangerElement & { channelId: string | undefined; limit: number | undefined };
  }
}
