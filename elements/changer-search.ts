import post from '../src/pages/posts/posts.css';
import { SearchPage } from '../src/pages/SearchPage.tsx';
import { type ChangerElement, define } from './define.ts';

/** Search in the channels that `channels` names (ids or usernames, divided by commas), else in all; `q` is what it begins with. */
define('changer-search', SearchPage, { styles: [post], attributes: { channels: 'text', q: 'text', limit: 'count' } });

declare global {
  interface HTMLElementTagNameMap {
    'changer-search': ChangerElement & { channels: string | undefined; q: string | undefined; limit: number | undefined };
  }
}
