import { PostPage } from '../src/features/post/PostPage.tsx';
import postPageStyles from '../src/features/post/post-page.css';
import postListStyles from '../src/features/post-list/post-list.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/**
 * Custom element that shows one post, rendered as in the feed. `channel-id` is the channel's id or username, `post-id`
 * the id of the post in that channel.
 */
define('changer-post', PostPage, { styles: [postListStyles, postPageStyles], attributes: { channelId: 'text', postId: 'id' } });

declare global {
  interface HTMLElementTagNameMap {
    'changer-post': ChangerElement & { channelId: string | undefined; postId: number | undefined };
  }
}
