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
 * Jump link: a link to a post. If the post is loaded in the list, scrolls to it, so that the way back is one step; otherwise
 * opens its page.
 */
export function JumpLink({ jump, linkContext, channel, id, className, children }: JumpLinkProps) {
  const to = `${channel.id}/${id}`;
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const from = event.currentTarget.closest<HTMLElement>('article');
    const target = mountAndFindPost(event.currentTarget, jump, to);
    if (from === null || target === null || from === target) return;
    event.preventDefault();
    jump.set({ from: from.dataset.key ?? '', to, top: from.getBoundingClientRect().top });
    target.scrollIntoView({ block: 'start', behavior: 'instant' });
    target.focus({ preventScroll: true });
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

/** Button in the post to which a jump led. It scrolls back to the previous position. */
export function JumpBackButton({ jump }: { readonly jump: JumpSignal }) {
  const { msg } = useMsg();
  const goBack = (event: MouseEvent) => {
    const last = jump.get();
    const from = last === null ? null : mountAndFindPost(event.currentTarget, jump, last.from);
    jump.set(null);
    if (last === null || from === null) return;
    window.scrollBy({ top: from.getBoundingClientRect().top - last.top, behavior: 'instant' });
    (from.querySelector<HTMLElement>(JUMP_LINK_SELECTOR) ?? from).focus({ preventScroll: true });
  };
  return (
    <button type="button" className="pill way-back" onClick={goBack}>
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
