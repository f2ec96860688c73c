import { CloseWebappPage } from '../src/pages/CloseWebappPage.tsx';
import styles from '../src/pages/close-webapp.css';
import { type ChangerElement, define } from './define.ts';

/** What stays to be seen when the mini-app has closed. */
define('changer-close-webapp', CloseWebappPage, { styles: [styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-close-webapp': ChangerElement;
  }
}
