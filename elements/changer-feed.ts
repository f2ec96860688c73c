import { FeedPage } from '../src/features/feed/FeedPage.tsx';
import feedStyles from '../src/features/feed/feed.css';
import postListStyles from '../src/features/post-list/post-list.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/**
 * Custom element of the feed. It shows posts of the channels in `channels` (ids or usernames, separated by commas), or
 * of all channels that the reader follows. `limit` is the number of posts that one request fetches.
 */
define('changer-feed', FeedPage, { styles: [postListStyles, feedStyles], attributes: { channels: 'list', limit: 'count' } });

declare global {
  interface HTMLElementTagNameMap {
    'changer-feed': ChangerElement & { channels: string | readonly string[] | undefined; limit: number | undefined };
  }
}
