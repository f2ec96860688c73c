import { type MouseEvent, type ReactNode, useContext, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useMsg } from '../i18n/i18n.ts';
import { BackButtonContext } from './back-button-context.ts';
import { createCancelHandler } from './dialog-cancel.ts';
import { moveFocusTo } from './focus/move-focus.ts';
import { Icon } from './icons/Icon.tsx';

/** Bounds of the element that a sheet belongs to, in CSS px of the viewport. */
export interface Anchor {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/**
 * Text fields that get the focus first. In a menu, a number input, a slider or a field with `data-aside` is only one of
 * several controls, so it is excluded.
 */
const TEXT_FIELD_SELECTOR =
  'input:not([type=checkbox], [type=radio], [type=file], [type=number], [type=range], [type=color], [readonly], [data-aside]), textarea, select';

/**
 * Modal sheet: at the bottom on a phone; otherwise next to its anchor, or in the middle of the window. It uses the
 * browser's `dialog`, which traps the focus, closes on Escape and restores the focus. If the sheet has exactly one text
 * field, that field gets the focus first. The container's back button closes the sheet too.
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
    const hadFocus = document.activeElement !== document.body;
    // A layout effect, because its cleanup runs before React removes the dialog: closing it restores the focus,
    // removing it does not.
    element.showModal();
    const fields = element.querySelectorAll<HTMLElement>(TEXT_FIELD_SELECTOR);
    if (fields.length === 1) fields[0]?.focus();
    if (anchor !== undefined) positionAtAnchor(element, anchor);
    return () => {
      element.close();
      // The element that opened the sheet may have been removed (for example, a deleted row).
      if (hadFocus) queueMicrotask(() => moveFocusTo(root));
    };
  }, [anchor]);
  const registerBackHandler = useContext(BackButtonContext);
  const latestOnClose = useRef(onClose);
  useEffect(() => {
    latestOnClose.current = onClose;
  });
  useEffect(() => registerBackHandler(() => latestOnClose.current()), [registerBackHandler]);
  const closeOnBackdropClick = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog; this is for clicks on the backdrop
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={titleId}
      onCancel={createCancelHandler(onClose)}
      onClose={onClose}
      onClick={closeOnBackdropClick}
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

/** Minimum distance from the edges of the window, and offset above the anchor's top, CSS px. */
const MARGIN_PX = 8;

/**
 * Positions the sheet next to its anchor, on the start side if it fits there, inside the window. On a phone the style
 * sheet overrides this.
 */
function positionAtAnchor(element: HTMLDialogElement, anchor: Anchor): void {
  // Set before the measurement: the attribute changes the sheet's width, and so its height.
  element.dataset.anchored = '';
  const { width, height } = element.getBoundingClientRect();
  const maxLeft = window.innerWidth - width - MARGIN_PX;
  const chooseLeft = (preferred: number, fallback: number) =>
    preferred >= MARGIN_PX && preferred <= maxLeft ? preferred : Math.min(Math.max(MARGIN_PX, fallback), maxLeft);
  const top = Math.max(MARGIN_PX, Math.min(anchor.top - MARGIN_PX, window.innerHeight - height - MARGIN_PX));
  const left =
    getComputedStyle(element).direction === 'rtl'
      ? chooseLeft(anchor.right, anchor.left - width)
      : chooseLeft(anchor.left - width, anchor.right);
  element.style.setProperty('--sheet-top', `${top}px`);
  element.style.setProperty('--sheet-left', `${left}px`);
}
