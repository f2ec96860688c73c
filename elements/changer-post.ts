import { PostPage } from '../src/features/post/PostPage.tsx';
import styles from '../src/features/post/post-page.css';
import post from '../src/features/post-list/post-list.css';
import { type ChangerElement, define } from './define-element.ts';

/** One post, as it is in the feed: `channel-id` is its channel's id or username, `post-id` its number there. */
define('changer-post', PostPage, { styles: [post, styles], attributes: { channelId: 'text', postId: 'id' } });

declare global {
  interface HTMLElementTagNameMap {
    'changer-post': ChangerElement & { channelId: string | undefined; postId: number | undefined };
  }
}
