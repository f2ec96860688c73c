import type { ReactNode } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Icon } from '../Icon.tsx';
import { Out } from '../Link.tsx';
import { useOriginal } from '../original.ts';

interface PostActionsProps {
  readonly post: Post;
  readonly starred: boolean;
  /** Absent where no reader is: on a foreign page. */
  onStar?: ((post: Post, starred: boolean) => void) | undefined;
  onShare(post: Post): void;
  readonly extra?: ReactNode;
}

/** The quiet row under a post: star, share, and the way to the original. */
export function PostActions({ post, starred, onStar, onShare, extra }: PostActionsProps) {
  const { msg } = useMsg();
  const original = useOriginal(post.link);
  return (
    <div className="post-actions">
      {onStar !== undefined && (
        <button
          type="button"
          className={starred ? 'icon-button starred' : 'icon-button'}
          aria-pressed={starred}
          aria-label={msg('Star')}
          onClick={() => onStar(post, !starred)}
        >
          <Icon name="star" filled={starred} />
        </button>
      )}
      <button type="button" className="icon-button" aria-label={msg('Share')} onClick={() => onShare(post)}>
        <Icon name="share" />
      </button>
      {extra}
      <span className="spring" />
      {post.link !== undefined && (
        <Out className="icon-button" href={post.link} aria-label={original} title={original}>
          <Icon name="out" />
        </Out>
      )}
    </div>
  );
}

/** How readers reacted, as counts; none is invented. */
export function Reactions({ reactions }: { reactions: Post['reactions'] }) {
  const { msg, number } = useMsg();
  if (reactions.length === 0) return null;
  return (
    <ul className="reactions" aria-label={msg('Reactions')}>
      {reactions.map((reaction) => (
        <li key={reaction.emojiId ?? reaction.emoji}>
          {reaction.emoji} {number(reaction.count)}
        </li>
      ))}
    </ul>
  );
}
