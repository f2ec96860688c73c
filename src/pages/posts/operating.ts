import { type ReactNode, useEffect, useState } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import type { ToastContent } from './use-toast.ts';

/** Draws what an operator can do with a post. */
type Operate = (post: Post) => ReactNode;

/** Gives what an operator can do with a post, in a chunk that readers never load; undefined for a reader, and until it is there. */
export function useOperating(show: (toast: ToastContent) => void): Operate | undefined {
  const reader = useReadable(useServices().channels.reader);
  const [operate, setOperate] = useState<Operate>();
  const operates = reader.type === 'signed-in' && reader.user.operator;
  useEffect(() => {
    if (operates)
      import('./HideAction.tsx').then(
        ({ hideAction }) => setOperate(() => hideAction(show)),
        () => {},
      );
  }, [operates, show]);
  return operate;
}
