import type { SyntheticEvent } from 'react';

/** Has Escape close a dialog in its own moment: the event `close` comes later, when the reader may have opened it again. */
export const onCancel = (close: () => void) => (event: SyntheticEvent) => {
  // A file input in it tells of its own.
  if (event.target !== event.currentTarget) return;
  event.preventDefault();
  close();
};
