import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../services.ts';
import { rowsIn } from './use-row-motion.ts';

const LONG_PRESS = 380;
/** How far a mouse goes before a press is a drag, and how far a finger may shake during a long press; CSS px. */
const SLACK = 6;
/** Near the window's edge a drag scrolls the page, by this many px a frame. */
const EDGE = 72;
const SCROLL = 9;

interface Drag {
  readonly id: string;
  readonly row: HTMLElement;
  readonly rows: readonly HTMLElement[];
  readonly from: number;
  readonly step: number;
  /** The pointer's place in the document when it was taken up. */
  readonly startY: number;
  to: number;
  clientY: number;
}

interface Press {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  readonly row: HTMLElement;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Moves rows by pointer: at once by the handle, after a few px by a mouse on the row, after a long press by a finger.
 * `drop` gets the row's id and its new number. Escape puts the row back.
 */
export function useDrag(list: RefObject<HTMLElement | null>, drop: (id: string, number: number) => void) {
  const { host } = useServices();
  const drag = useRef<Drag | null>(null);
  const press = useRef<Press | null>(null);
  const latestDrop = useRef(drop);
  useEffect(() => {
    latestDrop.current = drop;
  });

  const forget = () => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  const take = (row: HTMLElement, clientY: number) => {
    forget();
    drag.current = startDrag(list.current, row, clientY);
    if (drag.current === null) return;
    host.haptic('medium');
    host.allowVerticalSwipes(false);
    follow(drag);
  };
  const finish = (dropped: boolean) => {
    forget();
    const done = drag.current;
    if (done === null) return;
    drag.current = null;
    host.allowVerticalSwipes(true);
    if (dropped && done.to !== done.from) latestDrop.current(done.id, done.to + 1);
    putBack(done);
  };

  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const move = (event: PointerEvent) => {
      const pressed = press.current;
      if (drag.current !== null) drag.current.clientY = event.clientY;
      else if (pressed !== null && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLACK) {
        if (event.pointerType === 'mouse') take(pressed.row, pressed.y);
        else forget();
      }
    };
    const up = () => finish(true);
    const cancel = () => finish(false);
    const putBackOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && drag.current !== null) finish(false);
    };
    // A finger that drags must not scroll: only a listener that is not passive can say so once the press has begun.
    const holdScroll = (event: TouchEvent) => {
      if (drag.current !== null) event.preventDefault();
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', putBackOnEscape);
    element.addEventListener('touchmove', holdScroll, { passive: false });
    return () => {
      finish(false);
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', putBackOnEscape);
      element.removeEventListener('touchmove', holdScroll);
    };
  });

  return {
    onPointerDown: (event: ReactPointerEvent) => {
      if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return;
      const row = event.target.closest<HTMLElement>('[data-row]');
      if (row === null) return;
      if (event.target.closest('.grip') !== null) return take(row, event.clientY);
      if (event.target.closest('.row-main') === null) return;
      const { clientX: x, clientY: y, pointerId: pointer, pointerType } = event;
      const timer = pointerType === 'mouse' ? undefined : setTimeout(() => take(row, y), LONG_PRESS);
      press.current = { pointer, x, y, row, timer };
    },
    /** The click that ends a drag opens nothing, and a long press no menu of the browser's. */
    onClickCapture: (event: { stopPropagation(): void; preventDefault(): void }) => {
      if (list.current?.dataset.dropped === undefined) return;
      event.stopPropagation();
      event.preventDefault();
    },
    onContextMenu: (event: { preventDefault(): void }) => {
      if (drag.current !== null || press.current?.timer !== undefined) event.preventDefault();
    },
  };
}

function startDrag(list: HTMLElement | null, row: HTMLElement, clientY: number): Drag | null {
  const rows = rowsIn(list);
  const from = rows.indexOf(row);
  if (list === null || from < 0 || rows.length < 2) return null;
  list.dataset.dragging = '';
  row.dataset.dragged = '';
  return {
    id: row.dataset.row ?? '',
    row,
    rows,
    from,
    to: from,
    step: row.offsetHeight,
    startY: clientY + window.scrollY,
    clientY,
  };
}

/** Draws the drag once a frame until it ends: the row under the pointer, the others out of its way, the page scrolled at its edges. */
function follow(drag: { readonly current: Drag | null }): void {
  const now = drag.current;
  if (now === null) return;
  if (now.clientY > window.innerHeight - EDGE) window.scrollBy(0, SCROLL);
  else if (now.clientY < EDGE) window.scrollBy(0, -SCROLL);
  const moved = now.clientY + window.scrollY - now.startY;
  const lowest = -now.from * now.step;
  const highest = (now.rows.length - 1 - now.from) * now.step;
  const held = Math.min(Math.max(moved, lowest - 12), highest + 12);
  now.to = Math.min(Math.max(now.from + Math.round(held / now.step), 0), now.rows.length - 1);
  now.row.style.transform = `translateY(${held}px)`;
  now.rows.forEach((row, index) => {
    if (row !== now.row) row.style.transform = shiftOf(index, now) === 0 ? '' : `translateY(${shiftOf(index, now)}px)`;
  });
  requestAnimationFrame(() => follow(drag));
}

function shiftOf(index: number, { from, to, step }: Drag): number {
  if (index > from && index <= to) return -step;
  return index < from && index >= to ? step : 0;
}

function putBack(drag: Drag): void {
  for (const row of drag.rows) row.style.transform = '';
  delete drag.row.dataset.dragged;
  const list = drag.row.parentElement;
  if (list === null) return;
  delete list.dataset.dragging;
  list.dataset.dropped = '';
  setTimeout(() => delete list.dataset.dropped, 0);
}
