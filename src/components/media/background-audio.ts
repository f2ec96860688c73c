import { createContext } from 'react';
import type { WritableSignal } from '../../lib/signal.ts';

/** Background audio: a sound that continues after its post unmounts. It is the same element that plays it, so there is no gap. */
export interface BackgroundAudio {
  readonly audio: HTMLAudioElement;
  readonly title: string;
}

/** Takes over a sound from its post. Absent on third-party pages, where a sound stops when its post unmounts. */
export const BackgroundAudioContext = createContext<WritableSignal<BackgroundAudio | null> | undefined>(undefined);
