import { createContext } from 'react';
import type { WritableSignal } from '../../lib/signal.ts';

/**
 * Background audio: a sound that continues after its post unmounts. The same element continues to play it, so there is
 * no gap.
 */
export interface BackgroundAudio {
  readonly audio: HTMLAudioElement;
  readonly title: string;
}

/**
 * Signal with the background audio; null if none plays. Absent on third-party pages, where a sound stops when its post
 * unmounts.
 */
export const BackgroundAudioContext = createContext<WritableSignal<BackgroundAudio | null> | undefined>(undefined);
