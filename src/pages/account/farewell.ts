import type { Messages } from '../../i18n/i18n.ts';

/**
 * Says that everything is erased, in a dialog of the document’s own: the layout has gone with its reader, and with it all that
 * could say so. The browser holds the focus in it and answers Escape.
 */
export function showFarewell({ locale, dir, msg }: Messages): void {
  const dialog = document.createElement('dialog');
  const title = document.createElement('h1');
  const close = document.createElement('button');
  title.textContent = msg('Everything is erased');
  close.textContent = msg('Close');
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.append(
    title,
    paragraph(msg('Your account has gone from the server, and what was kept of you from this device. You are signed out.')),
    close,
  );
  // It looks as the document's other notice does.
  Object.assign(dialog, { className: 'shell-failure', lang: locale, dir, ariaLabel: title.textContent });
  Object.assign(dialog.style, {
    paddingBlock: '32px',
    maxInlineSize: 'min(30rem, 100% - 32px)',
    border: '0',
    borderRadius: '18px',
    background: 'var(--changer-raised, Canvas)',
    color: 'inherit',
  });
  document.body.append(dialog);
  dialog.showModal();
}

function paragraph(text: string): HTMLElement {
  const made = document.createElement('p');
  made.textContent = text;
  return made;
}
