import { memo, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useMsg } from '../../i18n/i18n.ts';
import { ExtraChunk, hasDetails, hasOrigin, RareChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { Attachments } from '../media/Attachments.tsx';
import { Fold } from '../rich-text/Fold.tsx';
import { RichText } from '../rich-text/RichText.tsx';
import { findTruncationPoint, isBelowTruncation } from '../rich-text/truncate-text.ts';
import { PostActions, Reactions } from './PostActions.tsx';
import { PostHeader } from './PostHeader.tsx';
import type { PostProps } from './types.ts';

/** Build constant: true in the server's renderer. */
declare const __PRERENDER__: boolean;

/** Returns the class of a post's article. `day-start` reserves the space of the day heading above it. */
export const postClass = (kind: string, { day }: Pick<PostProps, 'day'>): string => (day ? `${kind} day-start` : kind);

/** Heading of a day. It is inside the day's first post, because an ARIA feed may only contain articles. */
export const DayHeading = ({ day }: Pick<PostProps, 'day'>) => day && <h2 className="day">{day}</h2>;

/** Post: renders one complete post as an article of an ARIA feed. */
export const Post = memo(function Post(props: PostProps) {
  const { post, channel, linkContext, headerStyle, actions, isUrlTarget } = props;
  const id = useId();
  const key = `${post.channelId}/${post.id}`;
  const isJumpTarget = useSyncExternalStore(actions.jump.subscribe, () => actions.jump.get()?.to === key, isNeverJumpTarget);
  const articleProps = {
    'aria-posinset': props.position,
    'aria-setsize': props.listLength,
    'data-key': key,
    'data-date': post.date,
    'data-reached': isJumpTarget || undefined,
    tabIndex: 0,
  };
  const { service } = post;
  if (service !== undefined) {
    return (
      <article {...articleProps} className={postClass('post service', props)} part="post" aria-labelledby={id}>
        <DayHeading {...props} />
        <p id={id}>
          {headerStyle === 'channel' && (
            <>
              <bdi>{channel.title}</bdi>:{' '}
            </>
          )}
          <RareChunk>{(chunk) => <chunk.ServiceMessage {...{ service, channel, linkContext, actions }} />}</RareChunk>
        </p>
      </article>
    );
  }
  const body = (
    <>
      <PostText {...props} />
      <Attachments post={post} media={post.media} base={linkContext.baseUrl} onOpen={actions.viewMedia} />
    </>
  );
  return (
    <article
      {...articleProps}
      className={postClass('post', props)}
      part="post"
      aria-labelledby={id}
      aria-current={isUrlTarget === true || undefined}
    >
      <DayHeading {...props} />
      <PostHeader {...props} nameId={id} />
      {isJumpTarget && <RareChunk fallback={false}>{(chunk) => <chunk.JumpBackButton jump={actions.jump} />}</RareChunk>}
      {hasOrigin(post) && (
        <RareChunk fallback={false}>{(chunk) => <chunk.PostOrigin {...{ post, channel, linkContext, actions }} />}</RareChunk>
      )}
      {post.extra === undefined ? (
        body
      ) : (
        <ExtraChunk fallback={post.text === '' ? undefined : body}>
          {({ ExtraContent }) => <ExtraContent {...props}>{body}</ExtraContent>}
        </ExtraChunk>
      )}
      {hasDetails(post) && <RareChunk>{(chunk) => <chunk.PostDetails post={post} />}</RareChunk>}
      <Reactions reactions={post.reactions} />
      <PostActions post={post} starred={props.starred} actions={actions} />
    </article>
  );
});

/** Server snapshot: no post is the target of a jump. */
const isNeverJumpTarget = () => false;

/**
 * Applies a change. If the content above a control shrinks, scrolls so that the control stays at its position on the
 * screen. Otherwise the reader would see posts far below.
 */
function keepControlPosition(control: Element, change: () => void): void {
  const { top } = control.getBoundingClientRect();
  flushSync(change);
  const shift = control.getBoundingClientRect().top - top;
  if (shift < 0) window.scrollBy({ top: shift, behavior: 'instant' });
}

function PostText({ post, channel, linkContext, findHighlights, isUrlTarget }: PostProps) {
  const { msg } = useMsg();
  /** Choice of the reader; null before a choice. */
  const [chosenExpanded, setChosenExpanded] = useState<boolean | null>(null);
  const { text } = post;
  const truncation = useMemo(() => findTruncationPoint(text), [text]);
  const hasHiddenHit = useMemo(
    () => truncation !== null && isBelowTruncation(findHighlights?.(text), truncation),
    [findHighlights, text, truncation],
  );
  if (text === '') return null;
  const isExpanded = chosenExpanded ?? (isUrlTarget === true || hasHiddenHit);
  const end = isExpanded ? undefined : (truncation ?? undefined);
  const textProps = { text, entities: post.entities, channel, linkContext, findHighlights };
  if (__PRERENDER__ && linkContext.embedded && end !== undefined)
    return (
      <>
        <RichText {...textProps} end={end} />
        <Fold>
          <RichText {...textProps} />
        </Fold>
      </>
    );
  return (
    <>
      <RichText {...textProps} end={end} />
      {truncation !== null && (
        <button
          type="button"
          className="link more"
          part="more"
          aria-expanded={isExpanded}
          onClick={({ currentTarget }) => keepControlPosition(currentTarget, () => setChosenExpanded(!isExpanded))}
        >
          {isExpanded ? msg('Show less') : msg('Show more')}
        </button>
      )}
    </>
  );
}
