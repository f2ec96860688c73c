import sheet from '../src/components/styles/sheet.css';
import { DialPage } from '../src/features/dial/DialPage.tsx';
import styles from '../src/features/dial/dial.css';
import { type ChangerElement, define } from './define-element.ts';

/** Custom element of the dial, which steps through channels. */
define('changer-dial', DialPage, { styles: [sheet, styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-dial': ChangerElement;
  }
}
