import { createContext } from 'react';
import type { Cell } from '../../lib/signal.ts';

/** A sound that goes on though its post is shown no more: the very element that plays it, without a gap. */
export interface BackgroundSound {
  readonly audio: HTMLAudioElement;
  readonly title: string;
}

/** Takes a sound over from its post; absent on foreign pages, where a sound ends with its post. */
export const BackgroundSoundContext = createContext<Cell<BackgroundSound | null> | undefined>(undefined);
