import { useCallback, useEffect, useRef, useState } from 'react';
import type { OperatorApi } from '../../api/operator-api.ts';
import { failureText } from '../../components/error-text.ts';
import { useServices } from '../../context/services.ts';
import { type RequestFailure, toRequestFailure } from '../../data/connection/connection.ts';
import type { Loadable } from '../../data/model/types.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Operator API: properties that every section of the operators' page receives. */
export interface OperatorSectionProps {
  /** Shows a result or an error. */
  readonly show: (toast: ToastContent | null) => void;
  /** True for an operator of the complete site, false for an administrator of single channels. */
  readonly isOperator: boolean;
}

/** Sends a request of the operators' API. */
export type OperatorCall = <Value>(use: (api: OperatorApi) => Promise<Value>) => Promise<Value>;

export function useOperatorCall(): OperatorCall {
  const { environment } = useServices();
  return useCallback(
    async (use) => {
      if (environment.loadOperatorApi === undefined) throw new Error('A foreign page has no operators.');
      return use(await environment.loadOperatorApi());
    },
    [environment],
  );
}

/**
 * Loaded value, and a function that loads it again. The current value stays visible meanwhile; after a failure `cachedAt` is the
 * time when it was loaded.
 */
export interface OperatorQuery<Value> {
  readonly state: Loadable<Value>;
  readonly reload: () => Promise<Value | null>;
}

/** Loads a value from the operators' API; `read` must keep its identity as long as it reads the same value. */
export function useOperatorQuery<Value>(read: (api: OperatorApi) => Promise<Value>): OperatorQuery<Value> {
  const call = useOperatorCall();
  const [state, setState] = useState<Loadable<Value>>({ type: 'loading' });
  const current = useRef(0);
  const readAt = useRef(0);
  const reload = useCallback(async () => {
    const requestNumber = ++current.current;
    try {
      const value = await call(read);
      if (requestNumber !== current.current) return null;
      readAt.current = Date.now();
      setState({ type: 'loaded', value, cachedAt: null });
      return value;
    } catch (thrown) {
      const failed = { ...toRequestFailure(thrown), type: 'failed' as const };
      if (requestNumber === current.current)
        setState((before) => (before.type === 'loaded' ? { ...before, cachedAt: readAt.current } : failed));
      return null;
    }
  }, [call, read]);
  useEffect(() => {
    void reload();
    return () => {
      current.current++;
    };
  }, [reload]);
  return { state, reload };
}

/**
 * Returns a function that formats the failure of an action: in the operator's language that it failed, and in the server's
 * English the exact reason.
 */
export function useFailureText(): (failure: RequestFailure) => string {
  const m = useMsg();
  return useCallback(
    ({ message, status, unreachable }) => {
      if (unreachable) return m.msg('No answer came. Check your connection and try again.');
      if (status === null) return message;
      // For most errors only the server's message helps. It is isolated by Unicode marks, because its text direction may
      // differ.
      const isPlain = status === 404 || status === 429 || status >= 500;
      return `${isPlain ? failureText(m, status) : m.msg('Not done:')} \u2068${message}\u2069`;
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
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const run = useCallback(
    async (request: (api: OperatorApi) => Promise<unknown>) => {
      setBusy(true);
      try {
        await call(request);
        return true;
      } catch (thrown) {
        show({ text: failureText(toRequestFailure(thrown)) });
        return false;
      } finally {
        setBusy(false);
      }
    },
    [call, show, failureText],
  );
  return { busy, run };
}
