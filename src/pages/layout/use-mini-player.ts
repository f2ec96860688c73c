import type { ComponentType } from 'react';
import type { Cell } from '../../readable.ts';
import type { BackgroundSound } from '../../ui/media/background-sound.ts';
import { useLazy } from '../use-lazy.ts';
import { useReadable } from '../use-readable.ts';
import type { MiniPlayerProps } from './MiniPlayer.tsx';

/** Loads the mini player; null until it is there. A sound whose player cannot be loaded is stopped: nothing would control it. */
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
