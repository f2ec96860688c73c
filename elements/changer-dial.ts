import { DialPage } from '../src/pages/DialPage.tsx';
import styles from '../src/pages/dial.css';
import { type ChangerElement, define } from './define.ts';

/** Flips through channels. */
define('changer-dial', DialPage, { styles: [styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-dial': ChangerElement;
  }
}
