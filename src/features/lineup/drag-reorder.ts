/** Time after which a finger on a row starts a drag. */
const LONG_PRESS_MS = 380;
/**
 * Distance that a mouse moves before a press becomes a drag, and that a finger may move during a long press; CSS px.
 */
const MOVE_THRESHOLD_PX = 6;
/** Distance from the window's edge at which a drag scrolls the page, and distance that it scrolls per frame, CSS px. */
const SCROLL_EDGE_PX = 72;
const SCROLL_STEP_PX = 9;
/** Distance that a row may be pulled beyond the end of the list, CSS px. */
const MAX_OVERPULL_PX = 12;

interface Drag {
  readonly list: HTMLElement;
  readonly row: HTMLElement;
  /** Number of rows of the list, including those that are not rendered. */
  readonly count: number;
  /** Index of the row when the drag started, from 0. */
  readonly from: number;
  /** Height of a row, CSS px; all rows have the same. */
  readonly rowHeight: number;
  /** Vertical position of the pointer in the document when the drag started, CSS px. */
  readonly startY: number;
  /** Index at which a drop inserts the row. */
  to: number;
  /** Current vertical position of the pointer in the window, CSS px. */
  clientY: number;
}

interface Press {
  readonly row: HTMLElement;
  readonly x: number;
  readonly y: number;
  /** Undefined for a mouse, which starts the drag by moving. */
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

interface DragHandlers {
  /** Returns the number of rows of the list. */
  count(): number;
  onStart(id: string): void;
  onEnd(): void;
  /** Receives the row's id, and its new index in the list, from 0. */
  onDrop(id: string, index: number): void;
}

/**
 * Drag and drop reordering of rows by pointer. The drag starts immediately at the handle, after a few px with a mouse
 * on the row, and after a long press with a finger. Escape cancels it. Returns a function that removes all listeners.
 */
export function startDragging(list: HTMLElement, handlers: DragHandlers): () => void {
  const reorder = new DragReorder(list, handlers);
  const listeners = new AbortController();
  const { signal } = listeners;
  list.addEventListener('pointerdown', (event) => reorder.press(event), { signal });
  window.addEventListener('pointermove', (event) => reorder.move(event), { signal });
  window.addEventListener('pointerup', () => reorder.finish(true), { signal });
  window.addEventListener('pointercancel', () => reorder.finish(false), { signal });
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') reorder.finish(false);
  };
  window.addEventListener('keydown', cancelOnEscape, { signal });
  // A dragging finger must not scroll: after the press has started, only a non-passive listener can prevent that.
  const preventScroll = preventWhen(() => reorder.isDragging);
  list.addEventListener('touchmove', preventScroll, { signal, passive: false });
  // Prevents the browser's context menu on a long press, the native drag of a link or picture in a row, and the click
  // at the end of a drag.
  const preventContextMenu = preventWhen(() => reorder.isDragging || reorder.isLongPress);
  list.addEventListener('contextmenu', preventContextMenu, { signal });
  const preventNativeDrag = preventWhen(() => true);
  list.addEventListener('dragstart', preventNativeDrag, { signal });
  const preventClick = preventWhen(() => reorder.hasDropped);
  list.addEventListener('click', preventClick, { signal, capture: true });
  return () => {
    reorder.finish(false);
    listeners.abort();
  };
}

/** Returns a listener that cancels an event if the condition is true. */
const preventWhen = (condition: () => boolean) => (event: Event) => {
  if (!condition()) return;
  event.preventDefault();
  event.stopPropagation();
};

/** State of the reordering: a press that may become a drag, then the drag. */
class DragReorder {
  readonly #list: HTMLElement;
  readonly #handlers: DragHandlers;
  #drag: Drag | null = null;
  #press: Press | null = null;
  #hasDropped = false;

  constructor(list: HTMLElement, handlers: DragHandlers) {
    this.#list = list;
    this.#handlers = handlers;
  }

  get isDragging(): boolean {
    return this.#drag !== null;
  }

  /** True while a finger presses a row, before the drag starts. */
  get isLongPress(): boolean {
    return this.#press?.timer !== undefined;
  }

  /** True until the click event of the drop has been dispatched. */
  get hasDropped(): boolean {
    return this.#hasDropped;
  }

  press(event: PointerEvent): void {
    const { target, clientX: x, clientY: y } = event;
    if (event.button !== 0 || !event.isPrimary || !(target instanceof Element)) return;
    const row = target.closest<HTMLElement>('[data-row]');
    if (row === null) return;
    if (target.closest('.grip') !== null) {
      this.#start(row, y);
      return;
    }
    if (target.closest('.row-main') === null) return;
    const timer = event.pointerType === 'mouse' ? undefined : setTimeout(() => this.#start(row, y), LONG_PRESS_MS);
    this.#press = { row, x, y, timer };
  }

  move(event: PointerEvent): void {
    if (this.#drag !== null) this.#drag.clientY = event.clientY;
    const press = this.#press;
    if (press === null || Math.hypot(event.clientX - press.x, event.clientY - press.y) <= MOVE_THRESHOLD_PX) return;
    if (press.timer === undefined) this.#start(press.row, press.y);
    else this.#cancelPress();
  }

  /** Ends the press or the drag. If `isDropped` is false, the row returns to its previous position. */
  finish(isDropped: boolean): void {
    this.#cancelPress();
    const drag = this.#drag;
    if (drag === null) return;
    this.#drag = null;
    this.#handlers.onEnd();
    if (isDropped && drag.to !== drag.from) this.#handlers.onDrop(idOf(drag.row), drag.to);
    resetRows(drag);
    this.#hasDropped = true;
    // The browser dispatches the click before the timeout.
    setTimeout(() => {
      this.#hasDropped = false;
    });
  }

  #start(row: HTMLElement, clientY: number): void {
    this.#cancelPress();
    this.#drag = beginDrag(this.#list, row, this.#handlers.count(), clientY);
    if (this.#drag === null) return;
    this.#handlers.onStart(idOf(row));
    followPointer(() => this.#drag);
  }

  #cancelPress(): void {
    clearTimeout(this.#press?.timer);
    this.#press = null;
  }
}

/** Marks the list and the row as dragging; returns null if the list has a single row. */
function beginDrag(list: HTMLElement, row: HTMLElement, count: number, clientY: number): Drag | null {
  const from = indexOf(row);
  if (count < 2) return null;
  list.dataset.dragging = '';
  row.dataset.dragged = '';
  return { list, row, count, from, to: from, rowHeight: row.offsetHeight, startY: clientY + window.scrollY, clientY };
}

const rowsIn = (list: HTMLElement) => list.querySelectorAll<HTMLElement>(':scope > [data-row]');
const idOf = (row: HTMLElement): string => row.dataset.row ?? '';
const indexOf = (row: HTMLElement): number => Number(row.dataset.index);

/**
 * Renders the drag once a frame until it ends: the row follows the pointer, the other rows make space for it, and the
 * page scrolls when the pointer is near the edges of the window.
 */
function followPointer(getDrag: () => Drag | null): void {
  const drag = getDrag();
  if (drag === null) return;
  const { list, clientY, from, count, row, startY, rowHeight } = drag;
  if (clientY > window.innerHeight - SCROLL_EDGE_PX) window.scrollBy(0, SCROLL_STEP_PX);
  else if (clientY < SCROLL_EDGE_PX) window.scrollBy(0, -SCROLL_STEP_PX);
  const lastIndex = count - 1;
  const minOffset = -from * rowHeight - MAX_OVERPULL_PX;
  const maxOffset = (lastIndex - from) * rowHeight + MAX_OVERPULL_PX;
  const offset = clamp(clientY + window.scrollY - startY, minOffset, maxOffset);
  drag.to = clamp(from + Math.round(offset / rowHeight), 0, lastIndex);
  // Queried in each frame: in a long list, rows mount and unmount while the page scrolls.
  for (const other of rowsIn(list)) {
    const shift = other === row ? offset : shiftOf(indexOf(other), drag);
    other.style.transform = shift === 0 ? '' : `translateY(${shift}px)`;
  }
  requestAnimationFrame(() => followPointer(getDrag));
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** Returns the offset by which a row makes space for the dragged one, CSS px. */
function shiftOf(index: number, { from, to, rowHeight }: Drag): number {
  if (index > from && index <= to) return -rowHeight;
  return index < from && index >= to ? rowHeight : 0;
}

function resetRows({ list, row }: Drag): void {
  for (const other of rowsIn(list)) other.style.transform = '';
  delete row.dataset.dragged;
  delete list.dataset.dragging;
}
