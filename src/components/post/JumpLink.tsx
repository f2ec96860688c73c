import type { MouseEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { Channel } from '../../../contract/channel.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { type LinkContext, postPath } from '../../lib/links.ts';
import { Icon } from '../icons/Icon.tsx';
import { PageLink } from '../Link.tsx';
import type { JumpSignal } from './types.ts';

interface JumpLinkProps {
  readonly jump: JumpSignal;
  readonly linkContext: LinkContext;
  readonly channel: Pick<Channel, 'id' | 'username'>;
  /** Id of the post to which it links. */
  readonly id: number;
  readonly className?: string;
  readonly children: ReactNode;
}

const JUMP_LINK_SELECTOR = 'a[data-jump]';

/**
 * Jump link: a link to a post. If the post is loaded in the list, scrolls to it, so that the reader can return with one
 * button; otherwise opens its page.
 */
export function JumpLink({ jump, linkContext, channel, id, className, children }: JumpLinkProps) {
  const targetKey = `${channel.id}/${id}`;
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const startPost = event.currentTarget.closest<HTMLElement>('article');
    const targetPost = mountAndFindPost(event.currentTarget, jump, targetKey);
    if (startPost === null || targetPost === null || startPost === targetPost) return;
    event.preventDefault();
    jump.set({ from: startPost.dataset.key ?? '', to: targetKey, top: startPost.getBoundingClientRect().top });
    targetPost.scrollIntoView({ block: 'start', behavior: 'instant' });
    targetPost.focus({ preventScroll: true });
  };
  return (
    <PageLink
      data-jump=""
      {...(className !== undefined && { className })}
      linkContext={linkContext}
      path={postPath(channel, id)}
      onClick={onClick}
    >
      {children}
    </PageLink>
  );
}

/** Button in the target post of a jump. It scrolls back to the position before the jump. */
export function JumpBackButton({ jump }: { readonly jump: JumpSignal }) {
  const { msg } = useMsg();
  const jumpBack = (event: MouseEvent) => {
    const lastJump = jump.get();
    const startPost = lastJump === null ? null : mountAndFindPost(event.currentTarget, jump, lastJump.from);
    jump.set(null);
    if (lastJump === null || startPost === null) return;
    window.scrollBy({ top: startPost.getBoundingClientRect().top - lastJump.top, behavior: 'instant' });
    (startPost.querySelector<HTMLElement>(JUMP_LINK_SELECTOR) ?? startPost).focus({ preventScroll: true });
  };
  return (
    <button type="button" className="pill way-back" onClick={jumpBack}>
      {msg('Back to the reply')}
      <Icon name="up" small />
    </button>
  );
}

/** Mounts a post of the list and returns its element; null if the list does not contain it. */
function mountAndFindPost(element: Element, jump: JumpSignal, key: string): HTMLElement | null {
  flushSync(() => jump.mount(key));
  return element.closest('[role=feed]')?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
}
