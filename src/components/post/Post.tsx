import { memo, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useMsg } from '../../i18n/i18n.ts';
import { ExtraChunk, hasDetails, hasOrigin, RareChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { Attachments } from '../media/Attachments.tsx';
import { RichText } from '../rich-text/RichText.tsx';
import { findTruncationPoint, isBelowTruncation } from '../rich-text/truncate-text.ts';
import { PostActions, Reactions } from './PostActions.tsx';
import { PostHeader } from './PostHeader.tsx';
import type { PostProps } from './types.ts';

/** Returns the class of a post's article. `day-start` reserves the space of the day heading above it. */
export const postClass = (kind: string, { day }: Pick<PostProps, 'day'>): string => (day ? `${kind} day-start` : kind);

/** Heading of a day. It is inside the day's first post, since an ARIA feed may have no other children than articles. */
export const DayHeading = ({ day }: Pick<PostProps, 'day'>) => day && <h2 className="day">{day}</h2>;

/** Post: renders one complete post as an article of an ARIA feed. */
export const Post = memo(function Post(props: PostProps) {
  const { post, channel, linkContext: place, head, actions: acts, named } = props;
  const id = useId();
  const key = `${post.channelId}/${post.id}`;
  const reached = useSyncExternalStore(acts.jump.subscribe, () => acts.jump.get()?.to === key, NOT_REACHED);
  const article = {
    'aria-posinset': props.position,
    'aria-setsize': props.size,
    'data-key': key,
    'data-date': post.date,
    'data-reached': reached || undefined,
    tabIndex: 0,
  };
  const { service } = post;
  if (service !== undefined) {
    return (
      <article {...article} className={postClass('post service', props)} part="post" aria-labelledby={id}>
        <DayHeading {...props} />
        <p id={id}>
          {head === 'channel' && (
            <>
              <bdi>{channel.title}</bdi>:{' '}
            </>
          )}
          <RareChunk>
            {(kinds) => <kinds.ServiceMessage {...{ service, channel, linkContext: place, actions: acts }} />}
          </RareChunk>
        </p>
      </article>
    );
  }
  const body = (
    <>
      <PostText {...props} />
      <Attachments post={post} media={post.media} base={place.baseUrl} onOpen={acts.viewMedia} />
    </>
  );
  return (
    <article
      {...article}
      className={postClass('post', props)}
      part="post"
      aria-labelledby={id}
      aria-current={named === true || undefined}
    >
      <DayHeading {...props} />
      <PostHeader {...props} nameId={id} />
      {reached && <RareChunk fallback={false}>{(kinds) => <kinds.JumpBackButton jump={acts.jump} />}</RareChunk>}
      {hasOrigin(post) && (
        <RareChunk fallback={false}>
          {(kinds) => <kinds.PostOrigin {...{ post, channel, linkContext: place, actions: acts }} />}
        </RareChunk>
      )}
      {post.extra === undefined ? (
        body
      ) : (
        <ExtraChunk fallback={post.text === '' ? undefined : body}>
          {({ ExtraContent: Extra }) => <Extra {...props}>{body}</Extra>}
        </ExtraChunk>
      )}
      {hasDetails(post) && <RareChunk>{(kinds) => <kinds.PostDetails post={post} />}</RareChunk>}
      <Reactions reactions={post.reactions} />
      <PostActions post={post} starred={props.starred} actions={acts} />
    </article>
  );
});

const NOT_REACHED = () => false;

/**
 * Applies a change and keeps a control at its position on the screen when the content above it shrinks. Otherwise the reader
 * would end up far below.
 */
function keepControlInPlace(control: Element, change: () => void): void {
  const { top } = control.getBoundingClientRect();
  flushSync(change);
  const by = control.getBoundingClientRect().top - top;
  if (by < 0) window.scrollBy({ top: by, behavior: 'instant' });
}

function PostText({ post, channel, linkContext: place, findHighlights: find, named }: PostProps) {
  const { msg } = useMsg();
  const [chosen, choose] = useState<boolean | null>(null);
  const { text } = post;
  const fold = useMemo(() => findTruncationPoint(text), [text]);
  const found = useMemo(() => fold !== null && isBelowTruncation(find?.(text), fold), [find, text, fold]);
  if (text === '') return null;
  const open = chosen ?? (named === true || found);
  const end = open ? undefined : (fold ?? undefined);
  return (
    <>
      <RichText text={text} entities={post.entities} {...{ channel, linkContext: place, findHighlights: find }} end={end} />
      {fold !== null && (
        <button
          type="button"
          className="link more"
          part="more"
          aria-expanded={open}
          onClick={({ currentTarget }) => keepControlInPlace(currentTarget, () => choose(!open))}
        >
          {open ? msg('Show less') : msg('Show more')}
        </button>
      )}
    </>
  );
}
