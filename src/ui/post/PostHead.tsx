import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Avatar } from '../Avatar.tsx';
import { channelPath, type Place, postPath } from '../addresses.ts';
import { Icon } from '../Icon.tsx';
import { To } from '../Link.tsx';

interface PostHeadProps {
  readonly post: Post;
  readonly channel: Channel;
  readonly place: Place;
  readonly number: number | null;
  readonly now: number;
  readonly unread: boolean;
  /** The id that names the article. */
  readonly nameId: string;
}

/** A post's head in a feed: whose it is, its number on the dial, and when. */
export function PostHead(props: PostHeadProps) {
  const { channel, place, number, nameId } = props;
  const m = useMsg();
  return (
    <header className="post-head">
      <To place={place} path={channelPath(channel)} tabIndex={-1} aria-hidden="true">
        <Avatar channel={channel} base={place.base} />
      </To>
      <div id={nameId}>
        <p className="post-name">
          <To place={place} path={channelPath(channel)}>
            <bdi>{channel.title}</bdi>
          </To>
          {number !== null && (
            <span className="key">
              <span className="hidden">{m.msg('Channel number')} </span>
              {m.number(number)}
            </span>
          )}
        </p>
        <PostFacts {...props} />
      </div>
      <UnreadDot unread={props.unread} />
    </header>
  );
}

/** The same on the channel's own page, where the name would only repeat itself. */
export function PlainHead(props: PostHeadProps) {
  return (
    <header className="post-head plain">
      <div id={props.nameId}>
        <PostFacts {...props} />
      </div>
      <UnreadDot unread={props.unread} />
    </header>
  );
}

function UnreadDot({ unread }: { unread: boolean }) {
  const { msg } = useMsg();
  return unread ? (
    <span className="dot">
      <span className="hidden">{msg('Unread')}</span>
    </span>
  ) : null;
}

function PostFacts({ post, channel, place, now }: PostHeadProps) {
  const m = useMsg();
  return (
    <p className="post-facts">
      <To place={place} path={postPath(channel, post.id)} title={m.fullDate(post.date)}>
        <time dateTime={new Date(post.date * 1000).toISOString()}>{m.when(post.date, now)}</time>
      </To>
      {post.edited !== undefined && <span title={m.fullDate(post.edited)}>{m.msg('edited')}</span>}
      {post.author !== undefined && <bdi>{post.author}</bdi>}
      {post.pinned === true && (
        <span className="pinned">
          <Icon name="pin" small />
          {m.msg('Pinned')}
        </span>
      )}
    </p>
  );
}
