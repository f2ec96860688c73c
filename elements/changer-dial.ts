import sheetStyles from '../src/components/styles/sheet.css';
import { DialPage } from '../src/features/dial/DialPage.tsx';
import dialStyles from '../src/features/dial/dial.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/** Custom element of the dial, which steps through channels. */
define('changer-dial', DialPage, { styles: [sheetStyles, dialStyles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-dial': ChangerElement;
  }
}
