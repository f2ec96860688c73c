import { CloseWebappPage } from '../src/features/standalone/CloseWebappPage.tsx';
import styles from '../src/features/standalone/close-webapp.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/**
 * Custom element of the page `/webapp/close`, which closes the mini-app. The reader sees it only if the container
 * (Telegram or a browser) does not close.
 */
define('changer-close-webapp', CloseWebappPage, { styles: [styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-close-webapp': ChangerElement;
  }
}
