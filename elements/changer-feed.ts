import { FeedPage } from '../src/pages/FeedPage.tsx';
import styles from '../src/pages/feed.css';
import post from '../src/pages/posts/posts.css';
import { type ChangerElement, define } from './define.ts';

/** Posts of the channels that `channels` names (ids or usernames, divided by commas), else of all that the reader follows. */
define('changer-feed', FeedPage, { styles: [post, styles], attributes: { channels: 'list', limit: 'count' } });

declare global {
  interface HTMLElementTagNameMap {
    'changer-feed': ChangerElement & { channels: string | readonly string[] | undefined; limit: number | undefined };
  }
}
