import { useEffect } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Notice } from '../../components/States.tsx';
import type { MutedWordsFilter, PostList } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';

interface MutedPostsNoticeProps {
  /** List that includes the muted posts. */
  readonly list: PostList;
  readonly isMuted: MutedWordsFilter;
  readonly revealed: boolean;
  readonly reveal: (revealed: boolean) => void;
}

/** Minimum number of visible posts: while fewer are visible, older posts are loaded. */
const MIN_SHOWN_POSTS = 5;

/** Muted posts notice: shows how many posts are hidden by muted words, with a button that reveals them. */
export function MutedPostsNotice({ list, isMuted, revealed, reveal }: MutedPostsNoticeProps) {
  const m = useMsg();
  const state = useSignalValue(list);
  const hasMessages = useAreaMessages('arranging');
  const posts = state.type === 'loaded' ? state.posts : [];
  const count = posts.filter(isMuted).length;
  useEffect(() => {
    if (state.type === 'loaded' && state.older === 'idle' && count > 0 && state.posts.length - count < MIN_SHOWN_POSTS)
      void list.loadOlder();
  }, [list, state, count]);
  if (count === 0 || !hasMessages) return null;
  return (
    <Notice
      icon={<AnyIcon name="mute" small />}
      action={
        <button type="button" className="link" onClick={() => reveal(!revealed)}>
          {revealed ? m.msg('Hide') : m.msg('Show')}
        </button>
      }
    >
      {m.plural(count, m.msg('one: # post muted by words | other: # posts muted by words'))}
    </Notice>
  );
}
