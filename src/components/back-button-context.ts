import { createContext } from 'react';

/**
 * Back button of the container: registers the `close` function of an overlay. Returns a function that unregisters it.
 */
export const BackButtonContext = createContext<(close: () => void) => () => void>(() => () => {});
