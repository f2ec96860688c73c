import { useCallback, useEffect, useRef, useState } from 'react';
import type { OperatorApi } from '../../api/operator-api.ts';
import { failureText } from '../../components/error-text.ts';
import { useServices } from '../../context/services.ts';
import { type Failure, failureOf } from '../../data/connection/connection.ts';
import type { Loadable } from '../../data/model/types.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** What every section of the operators' page is given. */
export interface SectionProps {
  /** Says what was done or what failed. */
  readonly show: (toast: ToastContent | null) => void;
  /** An operator of the whole site, not of single channels. */
  readonly isOperator: boolean;
}

/** Makes a call of the operators' API. */
export type Call = <Value>(use: (api: OperatorApi) => Promise<Value>) => Promise<Value>;

export function useCall(): Call {
  const { site } = useServices();
  return useCallback(
    async (use) => {
      if (site.operator === undefined) throw new Error('A foreign page has no operators.');
      return use(await site.operator());
    },
    [site],
  );
}

/** What was read, and how to read it anew. What is shown stays while that goes on; `kept` says since when, once it failed. */
export interface Reading<Value> {
  readonly state: Loadable<Value>;
  readonly reload: () => Promise<Value | null>;
}

/** Reads from the operators' API; `read` must be the same function as long as it reads the same. */
export function useReading<Value>(read: (api: OperatorApi) => Promise<Value>): Reading<Value> {
  const call = useCall();
  const [state, setState] = useState<Loadable<Value>>({ type: 'loading' });
  const current = useRef(0);
  const readAt = useRef(0);
  const reload = useCallback(async () => {
    const turn = ++current.current;
    try {
      const value = await call(read);
      if (turn !== current.current) return null;
      readAt.current = Date.now();
      setState({ type: 'loaded', value, kept: null });
      return value;
    } catch (thrown) {
      const failed = { ...failureOf(thrown), type: 'failed' as const };
      if (turn === current.current)
        setState((before) => (before.type === 'loaded' ? { ...before, kept: readAt.current } : failed));
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

/** Says in the operator's words that an act failed, and in the server's English what exactly. */
export function useFailureText(): (failure: Failure) => string {
  const m = useMsg();
  return useCallback(
    ({ message, status, unheard }) => {
      if (unheard) return m.msg('No answer came. Check your connection and try again.');
      if (status === null) return message;
      // Of most refusals the server's words are all that helps; they are set apart, as they may run the other way.
      const isPlain = status === 404 || status === 429 || status >= 500;
      return `${isPlain ? failureText(m, status) : m.msg('Not done:')} \u2068${message}\u2069`;
    },
    [m],
  );
}

/** Does one thing at a time; what fails is said. `run` answers whether it was done. */
export function useActing(show: SectionProps['show']): {
  readonly busy: boolean;
  readonly run: (act: (api: OperatorApi) => Promise<unknown>) => Promise<boolean>;
} {
  const call = useCall();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const run = useCallback(
    async (act: (api: OperatorApi) => Promise<unknown>) => {
      setBusy(true);
      try {
        await call(act);
        return true;
      } catch (thrown) {
        show({ text: failureText(failureOf(thrown)) });
        return false;
      } finally {
        setBusy(false);
      }
    },
    [call, show, failureText],
  );
  return { busy, run };
}
