import choiceStyles from '../src/components/styles/segmented-control.css';
import sheetStyles from '../src/components/styles/sheet.css';
import { NotificationsPage } from '../src/features/notifications/NotificationsPage.tsx';
import notificationsStyles from '../src/features/notifications/notifications.css';
import { define } from './define-element.ts';
import type { ChangerElement } from './element-types.ts';

/** Custom element of the notifications page: the channels, devices and times that the reader chooses. */
define('changer-notifications', NotificationsPage, { styles: [sheetStyles, choiceStyles, notificationsStyles] });

declare global {
  interface HTMLElementTagNameMap {
    'changer-notifications': ChangerElement;
  }
}
