import type { ComponentType } from 'react';
import type { BackgroundAudio } from '../../components/media/background-audio.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import type { WritableSignal } from '../../lib/signal.ts';
import type { MiniPlayerProps } from './MiniPlayer.tsx';

/**
 * Mini player loader: returns the component, or null until it is loaded. If loading fails, the sound is stopped,
 * because nothing could control it.
 */
export function useMiniPlayer(
  soundSignal: WritableSignal<BackgroundAudio | null>,
  load: () => Promise<ComponentType<MiniPlayerProps>>,
): ComponentType<MiniPlayerProps> | null {
  const stopAtFailure = (error: unknown): never => {
    soundSignal.set(null);
    throw error;
  };
  return useLazyComponent(() => load().catch(stopAtFailure), useSignalValue(soundSignal) !== null);
}
