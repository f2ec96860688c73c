import { createContext, type SyntheticEvent, useContext } from 'react';

/** Offline images: shows in an image the copy that is stored on the device. Rejects if none is stored. */
export type ShowOfflineImage = (image: HTMLImageElement) => Promise<void>;

export const OfflineImageContext = createContext<ShowOfflineImage | undefined>(undefined);

/** Returns the `error` handler of an image: the stored copy replaces it, otherwise `fail` is called. */
export function useOfflineImage(fail: () => void) {
  const show = useContext(OfflineImageContext);
  return ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => void (show ? show(currentTarget).catch(fail) : fail());
}
