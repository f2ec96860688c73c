import { createContext } from 'react';

/** Gives the container's back button to what lies over the page; the function that comes back gives it up. */
export const BackContext = createContext<(close: () => void) => () => void>(() => () => {});
