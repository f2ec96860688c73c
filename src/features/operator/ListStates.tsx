import type { ReactNode } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { ErrorState, Notice } from '../../components/States.tsx';
import type { Loadable } from '../../data/model/types.ts';
import { useNow } from '../../hooks/use-now.ts';
import { str, useMsg } from '../../i18n/i18n.ts';

const SKELETON_KEYS = [1, 2, 3, 4];

/** List states: skeleton rows, shown while the rows load. */
export function RowsSkeleton() {
  const { msg } = useMsg();
  return (
    <div className="rows" role="status" aria-label={msg('Loading')}>
      {SKELETON_KEYS.map((key) => (
        <div key={key} className="row">
          <span className="row-main">
            <span className="bone bone-avatar" />
            <span className="row-text">
              <span className="bone bone-title" />
              <span className="bone bone-about" />
            </span>
          </span>
        </div>
      ))}
    </div>
  );
}

interface LoadableContentProps<Value> {
  readonly state: Loadable<Value>;
  readonly reload: () => void;
  readonly children: (value: Value) => ReactNode;
}

/** Shows the loaded value, with a notice if it is outdated, or the error if it could not be loaded. */
export function LoadableContent<Value>({ state, reload, children }: LoadableContentProps<Value>) {
  const m = useMsg();
  const now = useNow();
  if (state.type === 'loading') return <RowsSkeleton />;
  if (state.type === 'failed')
    return (
      <>
        <ErrorState failure={state} onRetry={reload} />
        {state.status !== null && (
          <p className="why-failed">
            <ServerText text={state.message} />
          </p>
        )}
      </>
    );
  return (
    <>
      {state.cachedAt !== null && (
        <Notice
          icon={<AnyIcon name="offline" small />}
          action={
            <button type="button" className="link" onClick={reload}>
              {m.msg('Try again')}
            </button>
          }
        >
          {m.msg(str`Could not refresh. As of: ${m.relativeDate(state.cachedAt / 1000, now)}`)}
        </Notice>
      )}
      {children(state.value)}
    </>
  );
}

/** Server text, which is always English, whatever the reader's language. */
export const ServerText = ({ text }: { readonly text: string }) => (
  <span lang="en" dir="auto" className="server-words">
    {text}
  </span>
);
