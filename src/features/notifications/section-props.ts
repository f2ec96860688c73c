import type { Notifications } from '../../../contract/notifications.ts';
import type { NotificationsClient } from '../../data/notifications/notification-store.ts';

/** Props of the sections of the notifications page. */
export interface SectionProps {
  readonly store: NotificationsClient;
  readonly data: Notifications;
  /** Runs a request, and shows its error. Resolves with true if it succeeded. */
  readonly run: (request: () => Promise<void>) => Promise<boolean>;
  /** Shows a text, which screen readers announce. */
  readonly announce: (text: string) => void;
}
