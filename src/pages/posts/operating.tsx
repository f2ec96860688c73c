import { type ComponentType, lazy, type ReactNode, Suspense, useMemo } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import type { HideActionProps } from './HideAction.tsx';
import type { ToastContent } from './use-toast.ts';

const NOTHING = { default: () => null };

/** Where it cannot be loaded, the post stands without it. */
const HideAction = lazy<ComponentType<HideActionProps>>(() =>
  import('./HideAction.tsx').then(
    ({ HideAction }) => ({ default: HideAction }),
    () => NOTHING,
  ),
);

/** Gives what an operator can do with a post, in a chunk that readers never load; undefined for a reader. */
export function useOperating(show: (toast: ToastContent) => void): ((post: Post) => ReactNode) | undefined {
  const reader = useReadable(useServices().channels.reader);
  const operates = reader.type === 'signed-in' && reader.user.operator;
  return useMemo(
    () =>
      operates
        ? (post) => (
            <Suspense>
              <HideAction post={post} show={show} />
            </Suspense>
          )
        : undefined,
    [operates, show],
  );
}
