import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { channelPath, type Place } from '../../lib/links.ts';
import { Icon } from '../icons/Icon.tsx';
import { To } from '../Link.tsx';
import { JumpLink } from './JumpLink.tsx';
import type { PostActs } from './types.ts';

interface OriginsProps {
  readonly post: Post;
  readonly channel: Channel;
  readonly place: Place;
  readonly acts: PostActs;
}

/** Post origin: the source of a forwarded post, and the post to which it replies. */
export function Origins(props: OriginsProps) {
  return (
    <>
      {props.post.forward !== undefined && <ForwardLine {...props} forward={props.post.forward} />}
      {props.post.reply !== undefined && <ReplyLine {...props} reply={props.post.reply} />}
    </>
  );
}

function ForwardLine({ forward, channel, place }: OriginsProps & { forward: NonNullable<Post['forward']> }) {
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
          <To place={place} path={channelPath(origin, forwardQuery(forward.messageId))}>
            {name}
          </To>
        )}
      </span>
    </p>
  );
}

const forwardQuery = (messageId: number | undefined) => (messageId === undefined ? undefined : { post: String(messageId) });

function ReplyLine({ reply, channel, place, acts }: OriginsProps & { reply: NonNullable<Post['reply']> }) {
  const { msg } = useMsg();
  const target = reply.channelId === undefined || reply.channelId === channel.id ? channel : { id: reply.channelId };
  return (
    <JumpLink className="post-reply" jump={acts.jump} place={place} channel={target} id={reply.id}>
      <small>{msg('In reply to')}</small>
      <span dir="auto">{reply.excerpt ?? msg('an earlier post')}</span>
    </JumpLink>
  );
}
