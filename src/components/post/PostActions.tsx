import type { MouseEvent, ReactNode } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Icon, Outline } from '../icons/Icon.tsx';
import { Out } from '../Link.tsx';
import { useOriginal } from '../use-original-label.ts';
import type { PostActs } from './types.ts';

const CHAIN = (
  <Outline path="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.600-5.600l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.600 5.600l1-1" />
);

const MORE = <Outline path="M6 12h.01M12 12h.01M18 12h.01" heavy />;

interface PostActionsProps {
  readonly post: Post;
  readonly starred: boolean;
  readonly acts: PostActs;
}

/**
 * Post actions: the row under a post with buttons to star, share, copy the link and open the menu, and the link to the original.
 */
export function PostActions({ post, starred, acts }: PostActionsProps) {
  const { msg } = useMsg();
  const original = useOriginal(post.link);
  const { star, more } = acts;
  return (
    <div className="post-actions" part="actions">
      {star !== undefined && (
        <Act name={msg('Star')} pressed={starred} onPress={() => star(post, !starred)}>
          <Icon name="star" filled={starred} />
        </Act>
      )}
      <Act name={msg('Share')} onPress={() => acts.share(post)}>
        <Icon name="share" />
      </Act>
      <Act name={msg('Copy link')} onPress={() => acts.copy(post)}>
        {CHAIN}
      </Act>
      {acts.operate?.(post)}
      {more !== undefined && (
        <Act name={msg('More')} opens onPress={({ currentTarget }) => more(post, currentTarget.getBoundingClientRect())}>
          {MORE}
        </Act>
      )}
      <span className="spring" />
      {post.link !== undefined && (
        <Out className="icon-button" href={post.link} aria-label={original} title={original}>
          <Icon name="out" />
        </Out>
      )}
    </div>
  );
}

interface ActProps {
  readonly name: string;
  readonly pressed?: boolean;
  /** True if it opens a menu. */
  readonly opens?: boolean;
  readonly children: ReactNode;
  onPress(event: MouseEvent<HTMLButtonElement>): void;
}

function Act({ name, pressed, opens, children, onPress }: ActProps) {
  return (
    <button
      type="button"
      className={pressed ? 'icon-button starred' : 'icon-button'}
      aria-pressed={pressed}
      aria-haspopup={opens && 'dialog'}
      aria-label={name}
      title={name}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** Reactions: shows only the counts that the source reported. */
export function Reactions({ reactions }: { reactions: Post['reactions'] }) {
  const { msg, number } = useMsg();
  if (reactions.length === 0) return null;
  return (
    <ul className="reactions" aria-label={msg('Reactions')}>
      {reactions.map((reaction) => (
        <li key={`${reaction.emojiId ?? reaction.emoji} ${reaction.paid}`} className={reaction.paid ? 'paid' : undefined}>
          <span className="emoji">{reaction.emoji}</span> {number(reaction.count)}
        </li>
      ))}
    </ul>
  );
}
