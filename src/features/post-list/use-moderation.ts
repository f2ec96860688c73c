import { type ReactNode, useEffect, useState } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';

/** Renders the moderation actions of an operator or a channel's administrator for a post. */
type RenderModeration = (post: Post) => ReactNode;

/**
 * Moderation: returns the function that renders the moderation actions, from a chunk that only readers with rights
 * load; undefined for other readers, and until the chunk is loaded.
 */
export function useModeration(show: (toast: ToastContent) => void): RenderModeration | undefined {
  const { dataClient, environment } = useServices();
  const session = useSignalValue(dataClient.session);
  const [renderModeration, setRenderModeration] = useState<RenderModeration>();
  const userId = session.type === 'signed-in' ? session.user.id : null;
  useEffect(() => {
    if (userId === null) return;
    let isCurrent = true;
    const load = async () => {
      const rights = await (await environment.loadOperatorApi?.())?.rights();
      if (!rights?.all && !rights?.channels.length) return;
      const { createHidePostButton } = await import('../operator/HidePostButton.tsx');
      if (isCurrent) setRenderModeration(() => createHidePostButton(show, rights));
    };
    load().catch(() => {});
    return () => {
      isCurrent = false;
      setRenderModeration(undefined);
    };
  }, [userId, environment, show]);
  return renderModeration;
}
