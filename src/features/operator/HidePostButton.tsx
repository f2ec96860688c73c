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
 * Hide post button: returns a function that renders "Hide for readers" at the posts that the reader may hide. `show`
 * displays the result.
 */
export const createHidePostButton = (show: HidePostButtonProps['show'], { all, channels }: Rights) => {
  const administeredIds = new Set(channels);
  return (post: Post) => (all || administeredIds.has(post.channelId) ? <HidePostButton post={post} show={show} /> : null);
};

/** Hides a post for readers, with an undo button. */
function HidePostButton({ post: { channelId, id }, show }: HidePostButtonProps) {
  const { msg } = useMsg();
  const hasMessages = useAreaMessages('operator');
  const { dataClient } = useServices();
  const call = useOperatorCall();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  /** Sends a request and shows `successToast`, or the failure. Resolves with true on success. */
  const run = async (request: (api: OperatorApi) => Promise<void>, successToast: ToastContent) => {
    setBusy(true);
    try {
      await call(request);
      show(successToast);
      return true;
    } catch (thrown) {
      show({ text: failureText(toRequestFailure(thrown)) });
      return false;
    } finally {
      setBusy(false);
      void dataClient.refresh();
    }
  };
  const restore = () => void run((api) => api.restore(channelId, id), { text: msg('Readers see it again.') });
  const hide = async ({ currentTarget }: MouseEvent) => {
    const neighbor = neighborPost(currentTarget);
    const undo = { label: msg('Undo'), run: restore };
    const isHidden = await run((api) => api.hide(channelId, id), { text: msg('Hidden for readers'), action: undo });
    // The focus disappears with the removed post, so it moves to the next one.
    if (isHidden) neighbor?.focus({ preventScroll: true });
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

/** Returns the post after the button's post, or the previous one if it is the last; null if there is no other. */
function neighborPost(button: Element): HTMLElement | null {
  const articles = [...(button.closest('[role=feed]')?.querySelectorAll<HTMLElement>('article') ?? [])];
  const index = articles.findIndex((article) => article.contains(button));
  return articles[index + 1] ?? articles[index - 1] ?? null;
}
