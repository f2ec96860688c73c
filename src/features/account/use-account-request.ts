import { useCallback, useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { toRequestFailure } from '../../data/connection/connection.ts';

/** Account requests, one at a time. `thrown` is the error of the last request, null if it succeeded. */
export interface AccountRequest {
  readonly busy: boolean;
  readonly thrown: unknown;
  /** Runs a request; resolves with true if it succeeded. */
  readonly run: (request: () => Promise<void>) => Promise<boolean>;
}

/**
 * Returns a function that runs account requests, and its state. If the session is over (401), the data layer refreshes, and the
 * app shows the current reader.
 */
export function useAccountRequest(): AccountRequest {
  const { dataClient } = useServices();
  const [{ busy, thrown }, setState] = useState<Pick<AccountRequest, 'busy' | 'thrown'>>({ busy: false, thrown: null });
  const isRunning = useRef(false);
  const run = useCallback(
    async (request: () => Promise<void>) => {
      if (isRunning.current) return false;
      isRunning.current = true;
      setState({ busy: true, thrown: null });
      try {
        await request();
        setState({ busy: false, thrown: null });
        return true;
      } catch (error) {
        setState({ busy: false, thrown: error });
        if (toRequestFailure(error).status === 401) void dataClient.refresh();
        return false;
      } finally {
        isRunning.current = false;
      }
    },
    [dataClient],
  );
  return { busy, thrown, run };
}
