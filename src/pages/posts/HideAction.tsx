import { type MouseEvent, useState } from 'react';
import type { Post } from '../../../contract/post.ts';
import type { OperatorApi } from '../../api/operator.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import { useServices } from '../services.ts';
import type { ToastContent } from './use-toast.ts';

export interface HideActionProps {
  readonly post: Post;
  readonly show: (toast: ToastContent) => void;
}

/** Hides a post for readers, with the way back. */
export function HideAction({ post: { channelId, id }, show }: HideActionProps) {
  const { msg } = useMsg();
  const { channels, site } = useServices();
  const [busy, setBusy] = useState(false);
  const call = async (act: (api: OperatorApi) => Promise<void>, done: ToastContent) => {
    setBusy(true);
    try {
      if (site.operator !== undefined) await act(await site.operator());
      show(done);
      await channels.refresh();
    } catch (thrown) {
      show({ text: thrown instanceof Error ? thrown.message : String(thrown) });
    }
    setBusy(false);
  };
  const restore = () => void call((api) => api.restore(channelId, id), { text: msg('Readers see it again.') });
  const hide = async ({ currentTarget }: MouseEvent) => {
    const next = neighbour(currentTarget);
    await call((api) => api.hide(channelId, id), {
      text: msg('Hidden for readers'),
      action: { label: msg('Undo'), run: restore },
    });
    // The post has taken the focus with it.
    if (!currentTarget.isConnected) next?.focus();
  };
  return (
    <button
      type="button"
      className="icon-button"
      disabled={busy}
      aria-label={msg('Hide for readers')}
      title={msg('Hide for readers')}
      onClick={(event) => void hide(event)}
    >
      <AnyIcon name="hide" />
    </button>
  );
}

/** The post after this one, or before it where this is the last. */
function neighbour(inside: Element): HTMLElement | null {
  const article = inside.closest('article');
  const found = article?.nextElementSibling ?? article?.previousElementSibling;
  return found instanceof HTMLElement ? found : null;
}
