const LONG_PRESS = 380;
/** How far a mouse goes before a press is a drag, and how far a finger may shake during a long press; CSS px. */
const SLACK = 6;
/** Near the window's edge a drag scrolls the page, by this many px a frame. */
const EDGE = 72;
const SCROLL = 9;
/** How far a row may be pulled over the list's end, CSS px. */
const GIVE = 12;

interface Drag {
  readonly list: HTMLElement;
  readonly row: HTMLElement;
  /** Rows of the list, also those that are not drawn. */
  readonly count: number;
  readonly from: number;
  readonly step: number;
  /** The pointer's place in the document when it took the row up. */
  readonly startY: number;
  to: number;
  clientY: number;
}

interface Press {
  readonly row: HTMLElement;
  readonly x: number;
  readonly y: number;
  /** Undefined for a mouse, which takes the row up by moving. */
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

interface DragActs {
  /** How many rows the list has. */
  count(): number;
  taken(id: string): void;
  ended(): void;
  /** The row's id, and its new place in the list, counted from 0. */
  drop(id: string, index: number): void;
}

/**
 * Moves the rows of a list by pointer: at once by the handle, after a few px by a mouse on the row, after a long press by a
 * finger. Escape puts the row back. Gives the function that ends it.
 */
export function startDragging(list: HTMLElement, acts: DragActs): () => void {
  let drag: Drag | null = null;
  let press: Press | null = null;
  let hasDropped = false;

  const forget = () => {
    clearTimeout(press?.timer);
    press = null;
  };
  const take = (row: HTMLElement, clientY: number) => {
    forget();
    drag = takeUp(list, row, acts.count(), clientY);
    if (drag === null) return;
    acts.taken(idOf(row));
    follow(() => drag);
  };
  const finish = (isDropped: boolean) => {
    forget();
    const done = drag;
    if (done === null) return;
    drag = null;
    acts.ended();
    if (isDropped && done.to !== done.from) acts.drop(idOf(done.row), done.to);
    putBack(done);
    hasDropped = true;
    setTimeout(() => {
      hasDropped = false;
    });
  };

  const listening = new AbortController();
  const { signal } = listening;
  list.addEventListener(
    'pointerdown',
    (event) => {
      const { target, clientX: x, clientY: y } = event;
      if (event.button !== 0 || !event.isPrimary || !(target instanceof Element)) return;
      const row = target.closest<HTMLElement>('[data-row]');
      if (row === null) return;
      if (target.closest('.grip') !== null) return take(row, y);
      if (target.closest('.row-main') === null) return;
      const timer = event.pointerType === 'mouse' ? undefined : setTimeout(() => take(row, y), LONG_PRESS);
      press = { row, x, y, timer };
    },
    { signal },
  );
  const move = (event: PointerEvent) => {
    if (drag !== null) drag.clientY = event.clientY;
    if (press === null || Math.hypot(event.clientX - press.x, event.clientY - press.y) <= SLACK) return;
    if (press.timer === undefined) take(press.row, press.y);
    else forget();
  };
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', () => finish(true), { signal });
  window.addEventListener('pointercancel', () => finish(false), { signal });
  const putBackOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') finish(false);
  };
  window.addEventListener('keydown', putBackOnEscape, { signal });
  const refuse = (when: () => boolean) => (event: Event) => {
    if (!when()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // A finger that drags must not scroll: only a listener that is not passive can say so once the press has begun.
  list.addEventListener(
    'touchmove',
    refuse(() => drag !== null),
    { signal, passive: false },
  );
  // A long press opens no menu of the browser's, a row with a link or a picture is not dragged away as such, and the click that ends a drag opens nothing.
  list.addEventListener(
    'contextmenu',
    refuse(() => drag !== null || press?.timer !== undefined),
    { signal },
  );
  list.addEventListener(
    'dragstart',
    refuse(() => true),
    { signal },
  );
  list.addEventListener(
    'click',
    refuse(() => hasDropped),
    { signal, capture: true },
  );
  return () => {
    finish(false);
    listening.abort();
  };
}

function takeUp(list: HTMLElement, row: HTMLElement, count: number, clientY: number): Drag | null {
  const from = indexOf(row);
  if (count < 2) return null;
  list.dataset.dragging = '';
  row.dataset.dragged = '';
  return { list, row, count, from, to: from, step: row.offsetHeight, startY: clientY + window.scrollY, clientY };
}

const rowsIn = (list: HTMLElement) => list.querySelectorAll<HTMLElement>(':scope > [data-row]');
const idOf = (row: HTMLElement): string => row.dataset.row ?? '';
const indexOf = (row: HTMLElement): number => Number(row.dataset.index);

/** Draws the drag once a frame until it ends: the row under the pointer, the others out of its way, the page scrolled at its edges. */
function follow(current: () => Drag | null): void {
  const drag = current();
  if (drag === null) return;
  const { list, clientY, from, count, row, startY, step } = drag;
  if (clientY > window.innerHeight - EDGE) window.scrollBy(0, SCROLL);
  else if (clientY < EDGE) window.scrollBy(0, -SCROLL);
  const last = count - 1;
  const by = between(clientY + window.scrollY - startY, -from * step - GIVE, (last - from) * step + GIVE);
  drag.to = between(from + Math.round(by / step), 0, last);
  // Asked for anew: in a long list rows come and go while the page scrolls.
  for (const each of rowsIn(list)) {
    const shift = each === row ? by : shiftOf(indexOf(each), drag);
    each.style.transform = shift === 0 ? '' : `translateY(${shift}px)`;
  }
  requestAnimationFrame(() => follow(current));
}

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** How far a row stands aside for the one that is dragged. */
function shiftOf(index: number, { from, to, step }: Drag): number {
  if (index > from && index <= to) return -step;
  return index < from && index >= to ? step : 0;
}

function putBack({ list, row }: Drag): void {
  for (const each of rowsIn(list)) each.style.transform = '';
  delete row.dataset.dragged;
  delete list.dataset.dragging;
}
