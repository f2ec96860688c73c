import type { SyntheticEvent } from 'react';

/**
 * Closes a dialog on Escape in the handler of `cancel`: the `close` event fires later, when the reader may have opened
 * the dialog again.
 */
export const createCancelHandler = (close: () => void) => (event: SyntheticEvent) => {
  // A file input inside the dialog dispatches its own `cancel` event.
  if (event.target !== event.currentTarget) return;
  event.preventDefault();
  close();
};
