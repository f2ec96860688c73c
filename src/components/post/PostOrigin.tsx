import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { channelPath, type LinkContext } from '../../lib/links.ts';
import { Icon } from '../icons/Icon.tsx';
import { PageLink } from '../Link.tsx';
import { JumpLink } from './JumpLink.tsx';
import type { PostActionHandlers } from './types.ts';

interface PostOriginProps {
  readonly post: Post;
  readonly channel: Channel;
  readonly linkContext: LinkContext;
  readonly actions: PostActionHandlers;
}

/** Post origin: renders the source of a forwarded post, and the post to which a post replies. */
export function PostOrigin(props: PostOriginProps) {
  return (
    <>
      {props.post.forward !== undefined && <ForwardLine {...props} forward={props.post.forward} />}
      {props.post.reply !== undefined && <ReplyLine {...props} reply={props.post.reply} />}
    </>
  );
}

function ForwardLine({ forward, channel, linkContext }: PostOriginProps & { forward: NonNullable<Post['forward']> }) {
  const { msg } = useMsg();
  const name = <bdi>{forward.name ?? msg('a hidden sender')}</bdi>;
  const origin = forward.channelId === undefined || forward.channelId === channel.id ? undefined : { id: forward.channelId };
  return (
    <p className="post-origin">
      <Icon name="forward" small />
      <span>
        {msg('Forwarded from')}{' '}
        {origin === undefined ? (
          name
        ) : (
          <PageLink linkContext={linkContext} path={channelPath(origin, forwardQuery(forward.messageId))}>
            {name}
          </PageLink>
        )}
      </span>
    </p>
  );
}

const forwardQuery = (messageId: number | undefined) => (messageId === undefined ? undefined : { post: String(messageId) });

function ReplyLine({ reply, channel, linkContext, actions }: PostOriginProps & { reply: NonNullable<Post['reply']> }) {
  const { msg } = useMsg();
  const target = reply.channelId === undefined || reply.channelId === channel.id ? channel : { id: reply.channelId };
  return (
    <JumpLink className="post-reply" jump={actions.jump} linkContext={linkContext} channel={target} id={reply.id}>
      <small>{msg('In reply to')}</small>
      <span dir="auto">{reply.excerpt ?? msg('an earlier post')}</span>
    </JumpLink>
  );
}
