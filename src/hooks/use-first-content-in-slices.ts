import { useDeferredValue, useState } from 'react';
import { useServices } from '../context/services.ts';

/** Set by the build: false in the bundles of the tags. */
declare const __APP__: boolean;

/** Content that is loading, failed or loaded. */
interface Loadable {
  readonly type: string;
}

/** Returns the state of the content: while a prerendered page is visible, the first loaded content is not urgent. */
function useDeferredContent<State extends Loadable>(state: State): State {
  const { environment } = useServices();
  const [isPrerendered] = useState(() => environment.prerenderedRoot?.() != null);
  const deferred = useDeferredValue(state);
  return isPrerendered && deferred.type === 'loading' ? deferred : state;
}

/**
 * Returns the state that a page of the app shows. React renders the first content of a prerendered page in slices, so that the
 * page stays responsive.
 */
export function useFirstContentInSlices<State extends Loadable>(state: State): State {
  const useShownState = __APP__ ? useDeferredContent<State> : (current: State) => current;
  return useShownState(state);
}
