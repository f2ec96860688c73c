import { CloseWebappPage } from '../src/features/standalone/CloseWebappPage.tsx';
import styles from '../src/features/standalone/close-webapp.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/** Custom element that stays visible after the mini-app has closed. */
define('changer-close-webapp', CloseWebappPage, { styles: [styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-close-webapp': ChangerElement;
  }
}
