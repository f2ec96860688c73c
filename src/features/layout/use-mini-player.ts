import type { ComponentType } from 'react';
import type { BackgroundSound } from '../../components/media/background-audio.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import type { Cell } from '../../lib/signal.ts';
import type { MiniPlayerProps } from './MiniPlayer.tsx';

/**
 * Loads the mini player; returns null until it is loaded. If loading fails, the sound is stopped, because nothing could control
 * it.
 */
export function useMiniPlayer(
  cell: Cell<BackgroundSound | null>,
  load: () => Promise<ComponentType<MiniPlayerProps>>,
): ComponentType<MiniPlayerProps> | null {
  const stopAtFailure = (error: unknown): never => {
    cell.set(null);
    throw error;
  };
  return useLazy(() => load().catch(stopAtFailure), useReadable(cell) !== null);
}
