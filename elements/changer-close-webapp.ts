import { CloseWebappPage } from '../src/features/standalone/CloseWebappPage.tsx';
import styles from '../src/features/standalone/close-webapp.css';
import { type ChangerElement, define } from './define-element.ts';

/** What stays to be seen when the mini-app has closed. */
define('changer-close-webapp', CloseWebappPage, { styles: [styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-close-webapp': ChangerElement;
  }
}
