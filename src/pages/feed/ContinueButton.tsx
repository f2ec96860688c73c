import { type RefObject, useEffect, useState } from 'react';
import type { PostList, PostListState } from '../../channels/channels.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import { type Arrival, dividerIndex, isNew } from '../posts/reading.ts';

interface ContinueButtonProps {
  readonly page: RefObject<HTMLElement | null>;
  readonly list: PostList;
  readonly state: PostListState;
  readonly arrival: Arrival | null;
}

/** Pages to read at most on the way to where the reader left: some thousand posts. */
const MOST_PAGES = 50;
const FAR = 1.2;

/** Leads to the divider while it lies more than a screen below. */
export function ContinueButton({ page, list, state, arrival }: ContinueButtonProps) {
  const { msg } = useMsg();
  const posts = state.type === 'loaded' ? state.posts : [];
  const atEnd = state.type === 'loaded' && state.older === 'end';
  const divider = arrival === null ? null : dividerIndex(posts, arrival, atEnd);
  const pending = arrival !== null && divider === null && posts.some((post) => isNew(post, arrival.marks));
  const far = useFar(page, divider, pending);
  const [busy, setBusy] = useState(false);
  if (!far) return null;
  const jump = async () => {
    setBusy(true);
    if (arrival !== null) await loadUntilDivider(list, arrival);
    setBusy(false);
    requestAnimationFrame(() => goToDivider(page.current));
  };
  return (
    <div className="float">
      <button type="button" className="pill" disabled={busy} onClick={() => void jump()}>
        {msg('Continue where you left')}
        <AnyIcon name="down" small />
      </button>
    </div>
  );
}

async function loadUntilDivider(list: PostList, arrival: Arrival): Promise<void> {
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const state = list.get();
    if (state.type !== 'loaded' || state.older === 'end' || state.older === 'failed') return;
    if (dividerIndex(state.posts, arrival, false) !== null) return;
    await list.older();
  }
}

function goToDivider(page: HTMLElement | null): void {
  const divider = page?.querySelector('.divider');
  if (!(divider instanceof HTMLElement)) return;
  divider.scrollIntoView({ block: 'center' });
  const last = divider.previousElementSibling;
  if (last instanceof HTMLElement) last.focus({ preventScroll: true });
}

/** Whether the divider is more than a screen below what is seen. */
function useFar(page: RefObject<HTMLElement | null>, divider: number | null, pending: boolean): boolean {
  const [far, setFar] = useState(false);
  useEffect(() => {
    const element = page.current?.querySelector('.divider');
    if (divider === null || element === null || element === undefined) return setFar(pending);
    const observer = new IntersectionObserver(
      ([entry]) => entry !== undefined && setFar(!entry.isIntersecting && entry.boundingClientRect.top > 0),
      { rootMargin: `1000000px 0px ${(FAR - 1) * 100}% 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [page, divider, pending]);
  return far;
}
