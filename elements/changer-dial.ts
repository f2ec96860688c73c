import { DialPage } from '../src/pages/DialPage.tsx';
import styles from '../src/pages/dial.css';
import sheet from '../src/ui/sheet.css';
import { type ChangerElement, define } from './define.ts';

/** Flips through channels. */
define('changer-dial', DialPage, { styles: [sheet, styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-dial': ChangerElement;
  }
}
