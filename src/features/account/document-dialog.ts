import type { Messages } from '../../i18n/i18n.ts';

/** Document dialog: a dialog of the document itself, for questions while no layout is mounted. */
export interface DocumentDialog {
  readonly title: string;
  /** Elements between the title and the buttons. */
  readonly content: readonly HTMLElement[];
  /** The first button receives the focus. */
  readonly buttons: readonly { readonly text: string; readonly onPress?: () => void }[];
  /** Called once, after a button was pressed or the dialog was dismissed. */
  readonly onClose?: () => void;
}

/** Shows a dialog over the document, in its theme. The browser traps the focus in it and handles Escape. */
export function showDocumentDialog({ locale, dir }: Messages, { title, content, buttons, onClose }: DocumentDialog): void {
  const dialog = document.createElement('dialog');
  const buttonElements = buttons.map(({ text, onPress }) => {
    const button = createElement('button', text);
    button.style.marginInline = '4px';
    button.addEventListener('click', () => {
      onPress?.();
      dialog.close();
    });
    return button;
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose?.();
  });
  dialog.append(createElement('h1', title), ...content, ...buttonElements);
  // Uses the same style as the document's failure notice.
  Object.assign(dialog, { className: 'shell-failure', lang: locale, dir, ariaLabel: title });
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

/** Creates an element with plain text; the text never becomes markup. */
export function createElement<Name extends 'p' | 'h1' | 'button' | 'li'>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
