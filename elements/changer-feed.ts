import { FeedPage } from '../src/features/feed/FeedPage.tsx';
import styles from '../src/features/feed/feed.css';
import post from '../src/features/post-list/post-list.css';
import { type ChangerElement, define } from './define-element.ts';

/** Posts of the channels that `channels` names (ids or usernames, divided by commas), else of all that the reader follows. */
define('changer-feed', FeedPage, { styles: [post, styles], attributes: { channels: 'list', limit: 'count' } });

declare global {
  interface HTMLElementTagNameMap {
    'changer-feed': ChangerElement & { channels: string | readonly string[] | undefined; limit: number | undefined };
  }
}
