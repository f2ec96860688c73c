import post from '../src/pages/posts/posts.css';
import { SearchPage } from '../src/pages/SearchPage.tsx';
import styles from '../src/pages/search/search.css';
import sheet from '../src/ui/sheet.css';
import { type ChangerElement, define } from './define.ts';

/**
 * Search in the channels that `channels` names (ids or usernames, divided by commas), else in all; `q` is what it begins with.
 * The page brings its styles along; what the server drew needs them before.
 */
define('changer-search', SearchPage, {
  styles: [post, sheet, styles],
  attributes: { channels: 'list', q: 'text', limit: 'count' },
});

declare global {
  interface HTMLElementTagNameMap {
    'changer-search': ChangerElement & {
      channels: string | readonly string[] | undefined;
      q: string | undefined;
      limit: number | undefined;
    };
  }
}
