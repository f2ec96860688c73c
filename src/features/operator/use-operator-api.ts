/* Operator API hooks: requests, loaded values and actions of the operators' page. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OperatorApi } from '../../api/operator-api.ts';
import { failureText } from '../../components/error-text.ts';
import { useServices } from '../../context/services.ts';
import { type RequestFailure, toRequestFailure } from '../../data/connection/connection.ts';
import type { Loadable } from '../../data/model/types.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Props that every section of the operators' page receives. */
export interface OperatorSectionProps {
  /** Shows a result or an error. */
  readonly show: (toast: ToastContent | null) => void;
  /** True for an operator of the complete site, false for an administrator of single channels. */
  readonly isOperator: boolean;
}

/** Sends a request of the operators' API. */
export type OperatorCall = <Value>(request: (api: OperatorApi) => Promise<Value>) => Promise<Value>;

/** Returns a function that loads the operators' API and sends a request with it. */
export function useOperatorCall(): OperatorCall {
  const { environment } = useServices();
  return useCallback(
    async (request) => {
      if (environment.loadOperatorApi === undefined) throw new Error('A foreign page has no operators.');
      return request(await environment.loadOperatorApi());
    },
    [environment],
  );
}

/**
 * Loaded value, and a function that loads it again. The current value stays visible while it loads; after a failure
 * `cachedAt` is the time when it was loaded.
 */
export interface OperatorQuery<Value> {
  readonly state: Loadable<Value>;
  readonly reload: () => Promise<Value | null>;
}

/** Loads a value from the operators' API; `load` must stay the same function while it loads the same value. */
export function useOperatorQuery<Value>(load: (api: OperatorApi) => Promise<Value>): OperatorQuery<Value> {
  const call = useOperatorCall();
  const [state, setState] = useState<Loadable<Value>>({ type: 'loading' });
  /** Number of the latest request: the response of an earlier one is ignored. */
  const latestRequest = useRef(0);
  /** Time of the last successful response, unix ms. */
  const loadedAt = useRef(0);
  const reload = useCallback(async () => {
    const requestNumber = ++latestRequest.current;
    try {
      const value = await call(load);
      if (requestNumber !== latestRequest.current) return null;
      loadedAt.current = Date.now();
      setState({ type: 'loaded', value, cachedAt: null });
      return value;
    } catch (thrown) {
      const failed = { ...toRequestFailure(thrown), type: 'failed' as const };
      if (requestNumber === latestRequest.current)
        setState((previous) => (previous.type === 'loaded' ? { ...previous, cachedAt: loadedAt.current } : failed));
      return null;
    }
  }, [call, load]);
  useEffect(() => {
    void reload();
    return () => {
      latestRequest.current++;
    };
  }, [reload]);
  return { state, reload };
}

/**
 * Returns a function that describes the failure of an action: first the kind of failure in the operator's language,
 * then the exact reason in the server's English.
 */
export function useFailureText(): (failure: RequestFailure) => string {
  const m = useMsg();
  return useCallback(
    ({ message, status, unreachable }) => {
      if (unreachable) return m.msg('No answer came. Check your connection and try again.');
      if (status === null) return message;
      // For most errors only the server's message helps. It is isolated by Unicode marks, because its text direction
      // may differ.
      const hasOwnText = status === 404 || status === 429 || status >= 500;
      return `${hasOwnText ? failureText(m, status) : m.msg('Not done:')} \u2068${message}\u2069`;
    },
    [m],
  );
}

/** Runs one action at a time, and shows a failure. `run` resolves with true if the action succeeded. */
export function useOperatorAction(show: OperatorSectionProps['show']): {
  readonly busy: boolean;
  readonly run: (request: (api: OperatorApi) => Promise<unknown>) => Promise<boolean>;
} {
  const call = useOperatorCall();
  const describeFailure = useFailureText();
  const [busy, setBusy] = useState(false);
  const run = useCallback(
    async (request: (api: OperatorApi) => Promise<unknown>) => {
      setBusy(true);
      try {
        await call(request);
        return true;
      } catch (thrown) {
        show({ text: describeFailure(toRequestFailure(thrown)) });
        return false;
      } finally {
        setBusy(false);
      }
    },
    [call, show, describeFailure],
  );
  return { busy, run };
}
