import sheet from '../src/components/styles/sheet.css';
import post from '../src/features/post-list/post-list.css';
import { SearchPage } from '../src/features/search/SearchPage.tsx';
import styles from '../src/features/search/search.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/**
 * Custom element of the search: in the channels in `channels` (ids or usernames, separated by commas), or in all. `q` is the
 * initial query. The page loads its styles itself, but the server-rendered HTML needs them earlier.
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
