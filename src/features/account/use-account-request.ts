import { useCallback, useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { failureOf } from '../../data/connection/connection.ts';

/** Asks for one thing at a time; `thrown` is what the last failed of, null where it was done. */
export interface Asking {
  readonly busy: boolean;
  readonly thrown: unknown;
  /** Answers whether it was done. */
  readonly run: (act: () => Promise<void>) => Promise<boolean>;
}

/** Makes what asks the server about the account. Where the session is over the app hears of it, and shows who reads now. */
export function useAsking(): Asking {
  const { channels } = useServices();
  const [{ busy, thrown }, set] = useState<Pick<Asking, 'busy' | 'thrown'>>({ busy: false, thrown: null });
  const underWay = useRef(false);
  const run = useCallback(
    async (act: () => Promise<void>) => {
      if (underWay.current) return false;
      underWay.current = true;
      set({ busy: true, thrown: null });
      try {
        await act();
        set({ busy: false, thrown: null });
        return true;
      } catch (error) {
        set({ busy: false, thrown: error });
        if (failureOf(error).status === 401) void channels.refresh();
        return false;
      } finally {
        underWay.current = false;
      }
    },
    [channels],
  );
  return { busy, thrown, run };
}
