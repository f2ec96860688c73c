import { flushSync } from 'react-dom';
import type { Leaves } from './leaves.ts';

/** Draws a leaf that is away, at once. */
export function reveal(leaves: Leaves, box: Element | null | undefined): void {
  if (box instanceof HTMLElement && box.childElementCount === 0) flushSync(() => leaves.send(box, null));
}
