import { LayoutPage } from '../src/pages/LayoutPage.tsx';
import styles from '../src/pages/layout.css';
import sheet from '../src/ui/sheet.css';
import { type ChangerElement, define } from './define.ts';

/** Navigation around a page, which stands inside the tag. */
define('changer-layout', LayoutPage, { styles: [sheet, styles], attributes: { path: 'text' }, slotted: true });

declare global {
  interface HTMLElementTagNameMap {
    'changer-layout': ChangerElement & { path: string | undefined };
  }
}
