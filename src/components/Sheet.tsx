import { type MouseEvent, type ReactNode, useContext, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useMsg } from '../i18n/i18n.ts';
import { BackContext } from './back-button-context.ts';
import { onCancel } from './dialog-cancel.ts';
import { passFocus } from './focus/move-focus.ts';
import { Icon } from './icons/Icon.tsx';

/** Where an element stands that a sheet belongs to, in CSS px of the viewport. */
export interface Anchor {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** A field to write in; a number or a slider in a menu, or a field that says so, is one of several things to do. */
const FIELD =
  'input:not([type=checkbox], [type=radio], [type=file], [type=number], [type=range], [type=color], [readonly], [data-aside]), textarea, select';

/**
 * A modal sheet: from the bottom on a phone; beside its anchor, or in the middle, where there is room. The browser's own
 * dialog holds the focus, which begins in a field that is the only one, answers Escape and gives the focus back; the container's back button closes it too.
 */
export function Sheet({
  title,
  anchor,
  onClose,
  children,
}: {
  readonly title: string;
  readonly anchor?: Anchor;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { msg } = useMsg();
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const root = element.getRootNode();
    const cameByFocus = document.activeElement !== document.body;
    // In the layout phase, because closing gives the focus back, which a dialog taken out of the page no longer does.
    element.showModal();
    const fields = element.querySelectorAll<HTMLElement>(FIELD);
    if (fields.length === 1) fields[0]?.focus();
    if (anchor !== undefined) placeBeside(element, anchor);
    return () => {
      element.close();
      // What opened the sheet may have gone (a row that was taken away).
      if (cameByFocus) queueMicrotask(() => passFocus(root));
    };
  }, [anchor]);
  const takeBack = useContext(BackContext);
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => takeBack(() => latest.current()), [takeBack]);
  const lightDismiss = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; the click is only that on the backdrop
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={titleId}
      onCancel={onCancel(onClose)}
      onClose={onClose}
      onClick={lightDismiss}
    >
      <div className="sheet-body">
        <div className="sheet-head">
          <h2 id={titleId}>
            <bdi>{title}</bdi>
          </h2>
          <button type="button" className="icon-button" aria-label={msg('Close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** Stands the sheet beside its anchor, at its start where there is room, inside the window; a phone's style sheet overrules it. */
function placeBeside(element: HTMLDialogElement, anchor: Anchor): void {
  const gap = 8;
  // Its width is another now, and with it the height.
  element.dataset.anchored = '';
  const { width, height } = element.getBoundingClientRect();
  const most = window.innerWidth - width - gap;
  const fitting = (first: number, second: number) =>
    first >= gap && first <= most ? first : Math.min(Math.max(gap, second), most);
  const top = Math.max(gap, Math.min(anchor.top - gap, window.innerHeight - height - gap));
  const left =
    getComputedStyle(element).direction === 'rtl'
      ? fitting(anchor.right, anchor.left - width)
      : fitting(anchor.left - width, anchor.right);
  element.style.setProperty('--sheet-top', `${top}px`);
  element.style.setProperty('--sheet-left', `${left}px`);
}
