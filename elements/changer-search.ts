import sheet from '../src/components/styles/sheet.css';
import post from '../src/features/post-list/post-list.css';
import { SearchPage } from '../src/features/search/SearchPage.tsx';
import styles from '../src/features/search/search.css';
import { type ChangerElement, define } from './define-element.ts';

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
