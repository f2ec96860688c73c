import { SelfTestPage } from '../src/pages/SelfTestPage.tsx';
import styles from '../src/pages/self-test.css';
import sheet from '../src/ui/sheet.css';
import { type ChangerElement, define } from './define.ts';

/** Live checks of what holds the app, with a report to copy. */
define('changer-self-test', SelfTestPage, { styles: [sheet, styles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-self-test': ChangerElement;
  }
}
