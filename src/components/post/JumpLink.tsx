import type { MouseEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { Channel } from '../../../contract/channel.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { type Place, postPath } from '../../lib/links.ts';
import { Icon } from '../icons/Icon.tsx';
import { To } from '../Link.tsx';
import type { Jumps } from './types.ts';

interface JumpLinkProps {
  readonly jump: Jumps;
  readonly place: Place;
  readonly channel: Pick<Channel, 'id' | 'username'>;
  /** Id of the post to which it links. */
  readonly id: number;
  readonly className?: string;
  readonly children: ReactNode;
}

const JUMPED_FROM = 'a[data-jump]';

/**
 * Jump link: a link to a post. If the post is loaded in the list, scrolls to it, so that the way back is one step; otherwise
 * opens its page.
 */
export function JumpLink({ jump, place, channel, id, className, children }: JumpLinkProps) {
  const to = `${channel.id}/${id}`;
  const leap = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const from = event.currentTarget.closest<HTMLElement>('article');
    const target = reach(event.currentTarget, jump, to);
    if (from === null || target === null || from === target) return;
    event.preventDefault();
    jump.set({ from: from.dataset.key ?? '', to, top: from.getBoundingClientRect().top });
    target.scrollIntoView({ block: 'start', behavior: 'instant' });
    target.focus({ preventScroll: true });
  };
  return (
    <To data-jump="" {...(className !== undefined && { className })} place={place} path={postPath(channel, id)} onClick={leap}>
      {children}
    </To>
  );
}

/** Button in the post to which a jump led. It scrolls back to the previous position. */
export function WayBack({ jump }: { readonly jump: Jumps }) {
  const { msg } = useMsg();
  const back = (event: MouseEvent) => {
    const last = jump.get();
    const from = last === null ? null : reach(event.currentTarget, jump, last.from);
    jump.set(null);
    if (last === null || from === null) return;
    window.scrollBy({ top: from.getBoundingClientRect().top - last.top, behavior: 'instant' });
    (from.querySelector<HTMLElement>(JUMPED_FROM) ?? from).focus({ preventScroll: true });
  };
  return (
    <button type="button" className="pill way-back" onClick={back}>
      {msg('Back to the reply')}
      <Icon name="up" small />
    </button>
  );
}

/** Mounts a post of the list and returns its element; null if the list does not contain it. */
function reach(inside: Element, jump: Jumps, key: string): HTMLElement | null {
  flushSync(() => jump.draw(key));
  return inside.closest('[role=feed]')?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
}
