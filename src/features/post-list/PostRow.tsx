import { useId, useState } from 'react';
import type { Media, Post as PostData } from '../../../contract/post.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Icon } from '../../components/icons/Icon.tsx';
import { PageLink } from '../../components/Link.tsx';
import { useOfflineImage } from '../../components/media/offline-image-context.ts';
import { DayHeading, Post, postClass } from '../../components/post/Post.tsx';
import type { PostProps } from '../../components/post/types.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { postPath } from '../../lib/links.ts';
import { isVisual } from '../../lib/media-kinds.ts';
import { srcSet } from '../../lib/media-url.ts';
import { postSummary } from '../dial/post-summary.ts';
import { shortDate } from '../lineup/row-text.ts';
import styles from './post-row.css';

/** Styles of the compact rows, mounted once per list. */
export function RowStyle() {
  return <div ref={useStylesheet(styles)} hidden />;
}

/** Post row of a compact list: channel, first line, date, and a small picture. */
export function PostRow(props: PostProps) {
  const { post, channel, linkContext, headerStyle, unread, starred, actions } = props;
  const m = useMsg();
  const id = useId();
  if (post.service !== undefined) return <Post {...props} />;
  const [title = ''] = postSummary(m, post).split('\n', 1);
  const { openMenu } = actions;
  return (
    <article
      className={postClass(unread ? 'post row unread' : 'post row', props)}
      aria-labelledby={id}
      aria-posinset={props.position}
      aria-setsize={props.listLength}
      data-key={`${post.channelId}/${post.id}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an article of an ARIA feed takes the focus
      tabIndex={0}
    >
      <DayHeading {...props} />
      {unread && (
        <span className="dot">
          <span className="hidden">{m.msg('Unread')}</span>
        </span>
      )}
      <div className="row-text">
        {headerStyle === 'channel' && <bdi className="row-channel">{channel.title}</bdi>}
        <PageLink className="row-link" linkContext={linkContext} path={postPath(channel, post.id)} id={id} dir="auto">
          {title}
        </PageLink>
        <time dateTime={new Date(post.date * 1000).toISOString()} title={m.fullDate(post.date)}>
          {shortDate(m, post.date, props.now)}
        </time>
        {starred && (
          <span className="row-star">
            <Icon name="star" small filled />
            <span className="hidden">{m.msg('Starred')}</span>
          </span>
        )}
      </div>
      <Thumbnail post={post} base={linkContext.baseUrl} />
      {openMenu !== undefined && (
        <button
          type="button"
          className="icon-button"
          aria-haspopup="dialog"
          aria-label={m.msg('More')}
          title={m.msg('More')}
          onClick={({ currentTarget }) => openMenu(post, currentTarget.getBoundingClientRect())}
        >
          <AnyIcon name="more" />
        </button>
      )}
    </article>
  );
}

/** Returns the still picture of the first visual media item that is not a spoiler. */
function pictureOf({ media }: PostData): { readonly src: string; readonly width?: number | undefined } | undefined {
  const stillOf = (item: Media) =>
    item.type === 'photo' || item.type === 'document'
      ? item.src !== undefined && { src: item.src, width: item.width }
      : item.poster;
  for (const item of media) {
    const still = isVisual(item) && item.spoiler !== true && stillOf(item);
    if (still) return still;
  }
  return undefined;
}

function Thumbnail({ post, base }: { readonly post: PostData; readonly base: string }) {
  const [failed, setFailed] = useState(false);
  const onError = useOfflineImage(() => setFailed(true));
  const picture = pictureOf(post);
  if (picture === undefined || failed) return null;
  const src = base + picture.src;
  return (
    <img
      className="row-picture"
      src={src}
      srcSet={srcSet(src, picture.width)}
      sizes="44px"
      width={44}
      height={44}
      alt=""
      loading="lazy"
      decoding="async"
      onError={onError}
    />
  );
}
