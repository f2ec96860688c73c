import sheetStyles from '../src/components/styles/sheet.css';
import postListStyles from '../src/features/post-list/post-list.css';
import { SearchPage } from '../src/features/search/SearchPage.tsx';
import searchStyles from '../src/features/search/search.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/**
 * Custom element of the search. It searches the channels in `channels` (ids or usernames, separated by commas), or
 * all. `q` is the initial query. The page loads its styles itself, but the server-rendered HTML needs them earlier.
 */
define('changer-search', SearchPage, {
  styles: [postListStyles, sheetStyles, searchStyles],
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
