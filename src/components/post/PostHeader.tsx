import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { channelPath, type LinkContext, postPath } from '../../lib/links.ts';
import { Avatar } from '../Avatar.tsx';
import { Icon } from '../icons/Icon.tsx';
import { PageLink } from '../Link.tsx';

interface PostHeaderProps {
  readonly post: Post;
  readonly channel: Channel;
  readonly linkContext: LinkContext;
  readonly headerStyle: 'channel' | 'plain';
  readonly number: number | null;
  readonly now: number;
  readonly unread: boolean;
  /** Id of the element that labels the article. */
  readonly nameId: string;
}

/**
 * Post header: the channel and its number on the dial (except on the channel's own page, which shows them already), and
 * the date.
 */
export function PostHeader(props: PostHeaderProps) {
  const { headerStyle, channel, linkContext, number, nameId } = props;
  const messages = useMsg();
  const path = channelPath(channel);
  return (
    <header className={`post-head ${headerStyle}`} part="post-head">
      {headerStyle === 'channel' && (
        <PageLink linkContext={linkContext} path={path} tabIndex={-1} aria-hidden="true">
          <Avatar channel={channel} base={linkContext.baseUrl} />
        </PageLink>
      )}
      <div id={nameId}>
        {headerStyle === 'channel' && (
          <p className="post-name">
            <PageLink linkContext={linkContext} path={path}>
              <bdi>{channel.title}</bdi>
            </PageLink>
            {number !== null && (
              <span className="key">
                <span className="hidden">{messages.msg('Channel number')} </span>
                {messages.number(number)}
              </span>
            )}
          </p>
        )}
        <PostMetadata {...props} />
      </div>
      {props.unread && (
        <span className="dot">
          <span className="hidden">{messages.msg('Unread')}</span>
        </span>
      )}
    </header>
  );
}

function PostMetadata({ post, channel, linkContext, now }: PostHeaderProps) {
  const messages = useMsg();
  return (
    <p className="post-facts">
      <PageLink linkContext={linkContext} path={postPath(channel, post.id)} title={messages.fullDate(post.date)}>
        <time dateTime={new Date(post.date * 1000).toISOString()}>{messages.relativeDate(post.date, now)}</time>
      </PageLink>
      {post.edited !== undefined && <span title={messages.fullDate(post.edited)}>{messages.msg('edited')}</span>}
      {post.author !== undefined && (
        <span>
          <bdi>{post.author}</bdi>
        </span>
      )}
      {post.pinned === true && (
        <span className="pinned">
          <Icon name="pin" small />
          {messages.msg('Pinned')}
        </span>
      )}
    </p>
  );
}
