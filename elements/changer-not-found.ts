import { NotFoundPage } from '../src/features/standalone/NotFoundPage.tsx';
import styles from '../src/features/standalone/standalone.css';
import { type ChangerElement, define } from './define-element.ts';

/** Says that there is no such page. */
define('changer-not-found', NotFoundPage, { styles: [styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-not-found': ChangerElement;
  }
}
