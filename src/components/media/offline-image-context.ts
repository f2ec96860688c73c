import { createContext, type SyntheticEvent, useContext } from 'react';

/** Offline image: shows the copy stored on the device in an `img` element. Rejects if no copy is stored. */
export type ShowOfflineImage = (image: HTMLImageElement) => Promise<void>;

export const OfflineImageContext = createContext<ShowOfflineImage | undefined>(undefined);

/** Returns the `error` handler of an image: shows the stored copy, or calls `onMissing` if there is none. */
export function useOfflineImage(onMissing: () => void) {
  const showOfflineImage = useContext(OfflineImageContext);
  return ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
    void (showOfflineImage ? showOfflineImage(currentTarget).catch(onMissing) : onMissing());
}
