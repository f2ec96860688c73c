import type { SyntheticEvent } from 'react';

/** Stops every other sound of the page when one begins; silent loops go on. */
export function stopOthers(event: SyntheticEvent<HTMLElement>): void {
  const started = event.target;
  if (!(started instanceof HTMLMediaElement) || started.muted) return;
  for (const other of event.currentTarget.querySelectorAll<HTMLMediaElement>('video, audio')) {
    if (other !== started && !other.muted) other.pause();
  }
}
