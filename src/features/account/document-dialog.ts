import type { Messages } from '../../i18n/i18n.ts';

/** A dialog of the document itself, for what must be shown where no layout is there to show it. */
export interface DocumentDialog {
  readonly title: string;
  /** Elements between the title and the buttons. */
  readonly content: readonly HTMLElement[];
  /** The first has the focus. */
  readonly buttons: readonly { readonly text: string; readonly press?: () => void }[];
  /** Called once, after a button was pressed or the dialog was dismissed. */
  readonly closed?: () => void;
}

/** Shows a dialog over the document, in its theme. The browser keeps the focus in it and handles Escape. */
export function showDocumentDialog({ locale, dir }: Messages, { title, content, buttons, closed }: DocumentDialog): void {
  const dialog = document.createElement('dialog');
  const pressed = buttons.map(({ text, press }) => {
    const button = create('button', text);
    button.style.marginInline = '4px';
    button.addEventListener('click', () => {
      press?.();
      dialog.close();
    });
    return button;
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed?.();
  });
  dialog.append(create('h1', title), ...content, ...pressed);
  // It looks as the document's other notice does.
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

/** Creates an element with text, which never becomes markup. */
export function create<Name extends 'p' | 'h1' | 'button' | 'li'>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
