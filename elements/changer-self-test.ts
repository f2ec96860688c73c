import sheetStyles from '../src/components/styles/sheet.css';
import { DiagnosticsPage } from '../src/features/diagnostics/DiagnosticsPage.tsx';
import diagnosticsStyles from '../src/features/diagnostics/diagnostics.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/** Custom element of the self-test: live checks of the environment that hosts the app, with a report to copy. */
define('changer-self-test', DiagnosticsPage, { styles: [sheetStyles, diagnosticsStyles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-self-test': ChangerElement;
  }
}
