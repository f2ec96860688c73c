import { type MouseEvent, useState } from 'react';
import type { Rights } from '../../../contract/operator.ts';
import type { Post } from '../../../contract/post.ts';
import type { OperatorApi } from '../../api/operator-api.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import { toRequestFailure } from '../../data/connection/connection.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { useFailureText, useOperatorCall } from './use-operator-api.ts';

interface HidePostButtonProps {
  readonly post: Post;
  readonly show: (toast: ToastContent) => void;
}

/**
 * Hide post button: returns a function that renders "Hide for readers" at the posts that the reader may hide. `show` displays
 * the result.
 */
export const createHidePostButton = (show: HidePostButtonProps['show'], { all, channels }: Rights) => {
  const operated = new Set(channels);
  return (post: Post) => (all || operated.has(post.channelId) ? <HidePostButton post={post} show={show} /> : null);
};

/** Hides a post for readers, with an undo button. */
function HidePostButton({ post: { channelId, id }, show }: HidePostButtonProps) {
  const { msg } = useMsg();
  const hasMessages = useAreaMessages('operator');
  const { dataClient: channels } = useServices();
  const request = useOperatorCall();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const call = async (action: (api: OperatorApi) => Promise<void>, done: ToastContent) => {
    setBusy(true);
    try {
      await request(action);
      show(done);
      return true;
    } catch (thrown) {
      show({ text: failureText(toRequestFailure(thrown)) });
      return false;
    } finally {
      setBusy(false);
      void channels.refresh();
    }
  };
  const restore = () => void call((api) => api.restore(channelId, id), { text: msg('Readers see it again.') });
  const hide = async ({ currentTarget }: MouseEvent) => {
    const next = neighborPost(currentTarget);
    const undo = { label: msg('Undo'), run: restore };
    const done = await call((api) => api.hide(channelId, id), { text: msg('Hidden for readers'), action: undo });
    // The focus disappears with the removed post, so it moves to the next one.
    if (done) next?.focus({ preventScroll: true });
  };
  if (!hasMessages) return null;
  return (
    <button
      type="button"
      className="icon-button"
      aria-disabled={busy}
      aria-label={msg('Hide for readers')}
      title={msg('Hide for readers')}
      onClick={(event) => busy || void hide(event)}
    >
      <AnyIcon name="hide" />
    </button>
  );
}

/** Returns the post after this one, or the previous one if this is the last. */
function neighborPost(inside: Element): HTMLElement | null {
  const all = [...(inside.closest('[role=feed]')?.querySelectorAll<HTMLElement>('article') ?? [])];
  const at = all.findIndex((article) => article.contains(inside));
  return all[at + 1] ?? all[at - 1] ?? null;
}
