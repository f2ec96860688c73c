import type { SyntheticEvent } from 'react';

/** Stops every other sound of the feed when one begins; silent loops go on. */
export function stopOthers({ currentTarget: started }: SyntheticEvent<HTMLMediaElement>): void {
  for (const other of started.closest('[role=feed]')?.querySelectorAll<HTMLMediaElement>('video, audio') ?? []) {
    if (other !== started && !other.muted) other.pause();
  }
}
