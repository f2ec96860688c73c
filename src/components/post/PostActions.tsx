import type { MouseEvent, ReactNode } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Icon, Outline } from '../icons/Icon.tsx';
import { ExternalLink } from '../Link.tsx';
import { useOriginalLabel } from '../use-original-label.ts';
import type { PostActionHandlers } from './types.ts';

const COPY_LINK_ICON = (
  <Outline path="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.600-5.600l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.600 5.600l1-1" />
);

const MORE_ICON = <Outline path="M6 12h.01M12 12h.01M18 12h.01" heavy />;

interface PostActionsProps {
  readonly post: Post;
  readonly starred: boolean;
  readonly actions: PostActionHandlers;
}

/**
 * Post actions: the row under a post with buttons to star, share, copy the link and open the menu, and the link to the
 * original.
 */
export function PostActions({ post, starred, actions }: PostActionsProps) {
  const { msg } = useMsg();
  const originalLabel = useOriginalLabel(post.link);
  const { star, openMenu } = actions;
  return (
    <div className="post-actions" part="actions">
      {star !== undefined && (
        <ActionButton name={msg('Star')} pressed={starred} onPress={() => star(post, !starred)}>
          <Icon name="star" filled={starred} />
        </ActionButton>
      )}
      <ActionButton name={msg('Share')} onPress={() => actions.share(post)}>
        <Icon name="share" />
      </ActionButton>
      <ActionButton name={msg('Copy link')} onPress={() => actions.copy(post)}>
        {COPY_LINK_ICON}
      </ActionButton>
      {actions.renderModeration?.(post)}
      {openMenu !== undefined && (
        <ActionButton
          name={msg('More')}
          opensMenu
          onPress={({ currentTarget }) => openMenu(post, currentTarget.getBoundingClientRect())}
        >
          {MORE_ICON}
        </ActionButton>
      )}
      <span className="spring" />
      {post.link !== undefined && (
        <ExternalLink className="icon-button" href={post.link} aria-label={originalLabel} title={originalLabel}>
          <Icon name="out" />
        </ExternalLink>
      )}
    </div>
  );
}

interface ActionButtonProps {
  readonly name: string;
  readonly pressed?: boolean;
  /** True if it opens a menu. */
  readonly opensMenu?: boolean;
  readonly children: ReactNode;
  onPress(event: MouseEvent<HTMLButtonElement>): void;
}

function ActionButton({ name, pressed, opensMenu, children, onPress }: ActionButtonProps) {
  return (
    <button
      type="button"
      className={pressed ? 'icon-button starred' : 'icon-button'}
      aria-pressed={pressed}
      aria-haspopup={opensMenu && 'dialog'}
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
