import { useEffect } from 'react';
import type { Post } from '../../../contract/post.ts';
import type { Channels, PostList } from '../../channels/channels.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/words.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import { Notice } from '../../ui/States.tsx';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';

interface MutedPostsProps {
  /** The list with the muted posts in it. */
  readonly list: PostList;
  readonly words: NonNullable<ReturnType<Channels['mutedWords']['get']>>;
  readonly revealed: boolean;
  readonly reveal: (revealed: boolean) => void;
}

/** Posts that are shown at the least, where the list has more. */
const FEWEST = 5;

/** Says how many posts are kept out by words, and shows them when asked; with what is before them they count as read. */
export function MutedPosts({ list, words, revealed, reveal }: MutedPostsProps) {
  const m = useMsg();
  const { channels } = useServices();
  const state = useReadable(list);
  const marks = useReadable(channels.marks);
  const worded = useWords('arranging');
  const posts = state.type === 'loaded' ? state.posts : [];
  const muted = posts.filter(words);
  const count = muted.length;
  useEffect(() => {
    if (state.type === 'loaded' && state.older === 'idle' && count > 0 && state.posts.length - count < FEWEST) void list.older();
  }, [list, state, count]);
  useEffect(() => {
    if (state.type !== 'loaded' || revealed) return;
    for (const [channelId, mark] of marks) {
      const upTo = passedTo(state.posts, channelId, mark, words, state.older === 'end');
      if (upTo > mark) channels.markRead(channelId, upTo);
    }
  }, [channels, state, words, marks, revealed]);
  if (count === 0 || !worded) return null;
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

/** How far a channel is read when what follows its mark is muted; the mark, where posts between may not be loaded. */
function passedTo(
  posts: readonly Post[],
  channelId: string,
  mark: number,
  words: MutedPostsProps['words'],
  atEnd: boolean,
): number {
  const own = posts.filter((post) => post.channelId === channelId);
  if (!atEnd && !own.some((post) => post.id <= mark)) return mark;
  const unread = own.filter((post) => post.id > mark).sort((a, b) => a.id - b.id);
  const stop = unread.findIndex((post) => !words(post));
  return (stop === -1 ? unread : unread.slice(0, stop)).at(-1)?.id ?? mark;
}
