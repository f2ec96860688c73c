import { createContext, type SyntheticEvent, useContext } from 'react';

/** Shows in an image what the device keeps of it; rejects where it keeps nothing. */
export type ShowKept = (image: HTMLImageElement) => Promise<void>;

export const KeptContext = createContext<ShowKept | undefined>(undefined);

/** Gives what an image does that could not be had: the kept one takes its place, or it has failed. */
export function useKept(fail: () => void) {
  const show = useContext(KeptContext);
  return ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => void (show ? show(currentTarget).catch(fail) : fail());
}
