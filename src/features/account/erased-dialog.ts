import type { Messages } from '../../i18n/i18n.ts';
import { createElement, showDocumentDialog } from './document-dialog.ts';

/** Erased dialog: shows that everything is erased. The layout was unmounted together with its reader. */
export function showErasedDialog(messages: Messages): void {
  const { msg } = messages;
  showDocumentDialog(messages, {
    title: msg('Everything is erased'),
    content: [
      createElement('p', msg('Your account was deleted from the server, and your data from this device. You are signed out.')),
    ],
    buttons: [{ text: msg('Close') }],
  });
}
