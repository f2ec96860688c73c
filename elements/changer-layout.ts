import sheetStyles from '../src/components/styles/sheet.css';
import { LayoutPage } from '../src/features/layout/LayoutPage.tsx';
import layoutStyles from '../src/features/layout/layout.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/** Custom element of the layout: the navigation around a page, which is the tag's child. */
define('changer-layout', LayoutPage, { styles: [sheetStyles, layoutStyles], attributes: { path: 'text' }, slotted: true });

declare global {
  interface HTMLElementTagNameMap {
    'changer-layout': ChangerElement & { path: string | undefined };
  }
}
