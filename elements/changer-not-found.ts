import { NotFoundPage } from '../src/features/standalone/NotFoundPage.tsx';
import styles from '../src/features/standalone/standalone.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/** Custom element of the "page not found" message. */
define('changer-not-found', NotFoundPage, { styles: [styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-not-found': ChangerElement;
  }
}
