import { PostPage } from '../src/pages/PostPage.tsx';
import styles from '../src/pages/post.css';
import post from '../src/pages/posts/posts.css';
import { type ChangerElement, define } from './define.ts';

/** One post, as it is in the feed: `channel-id` is its channel's id or username, `post-id` its number there. */
define('changer-post', PostPage, { styles: [post, styles], attributes: { channelId: 'text', postId: 'id' } });

declare global {
  interface HTMLElementTagNameMap {
    'changer-post': ChangerElement & { channelId: string | undefined; postId: number | undefined };
  }
}
