import { NotFoundPage } from '../src/pages/NotFoundPage.tsx';
import styles from '../src/pages/not-found.css';
import { type ChangerElement, define } from './define.ts';

/** Says that there is no such page. */
define('changer-not-found', NotFoundPage, { styles: [styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-not-found': ChangerElement;
  }
}
