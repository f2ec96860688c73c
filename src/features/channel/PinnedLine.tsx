import { useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { firstLine } from '../../../contract/plain-text.ts';
import type { Post } from '../../../contract/post.ts';
import { DOWN_OUTLINE } from '../../components/icons/down-outline.ts';
import { Icon, Outline } from '../../components/icons/Icon.tsx';
import { PageLink } from '../../components/Link.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { postPath } from '../../lib/links.ts';
import { postSummary } from '../dial/post-summary.ts';

interface PinnedLineProps {
  readonly channel: Channel;
  /** Id of the post that the URL names. */
  readonly urlPostId: number | null;
}

/** Pinned post that the reader stepped to, and the post that the URL named at that time. */
interface SteppedPost {
  readonly id: number;
  readonly urlPostId: number | null;
}

/**
 * Pinned posts: one line that links to the newest pinned post or, if the URL names a pinned post, to the next older
 * one. If there are several, a button steps through them. Renders nothing if no other pinned post is left.
 */
export function PinnedLine({ channel, urlPostId }: PinnedLineProps) {
  const [stepped, setStepped] = useState<SteppedPost | null>(null);
  // An older server, or one of its cached responses, has a single pinned post.
  const ids = channel.pinnedPosts ?? (channel.pinned === undefined ? [] : [channel.pinned]);
  // The post after an id that is not pinned, and after the oldest pinned post, is the newest one.
  const indexAfter = (id: number | null): number => (id === null ? 0 : (ids.indexOf(id) + 1) % ids.length);
  const isStepped = stepped !== null && stepped.urlPostId === urlPostId && ids.includes(stepped.id);
  const index = isStepped ? ids.indexOf(stepped.id) : indexAfter(urlPostId);
  const id = ids[index];
  if (id === undefined || (id === urlPostId && ids.length === 1)) return null;
  const step = () => setStepped({ id: ids[indexAfter(id)] ?? id, urlPostId });
  return <PinnedPostLink channel={channel} id={id} position={[index + 1, ids.length]} isStepped={isStepped} step={step} />;
}

interface PinnedPostLinkProps {
  readonly channel: Channel;
  readonly id: number;
  /** Position among the pinned posts, from 1, and their count. */
  readonly position: readonly [index: number, count: number];
  readonly isStepped: boolean;
  step(): void;
}

function PinnedPostLink({ channel, id, position: [index, count], isStepped, step }: PinnedPostLinkProps) {
  const { dataClient, environment } = useServices();
  const m = useMsg();
  const { msg, number } = m;
  const postState = useSignalValue(dataClient.post(channel.id, id));
  const errorText = postState.type === 'failed' ? msg('Post not found') : '';
  const text = postState.type === 'loaded' ? beginningOf(m, postState.value.post) : errorText;
  const positionText = count > 1 ? msg(str`${number(index)} of ${number(count)}`) : '';
  return (
    <div className="pinned-line">
      <PageLink linkContext={environment} path={postPath(channel, id)}>
        <Icon name="pin" small />
        <span className={count > 1 ? 'pinned-body several' : 'pinned-body'}>
          <span>
            <b>{msg('Pinned')}</b>
            {positionText !== '' && <small> {positionText}</small>}
          </span>{' '}
          <bdi>{text}</bdi>
        </span>
      </PageLink>
      {count > 1 && (
        <button
          type="button"
          className="icon-button"
          aria-label={msg('Next pinned post')}
          title={msg('Next pinned post')}
          onClick={step}
        >
          <Outline path={DOWN_OUTLINE} />
        </button>
      )}
      <span className="hidden" role="status">
        {isStepped && text !== '' && `${positionText}: ${text}`}
      </span>
    </div>
  );
}

/** Returns the beginning of a post's text, or a summary of its files if it has no text. */
const beginningOf = (m: Messages, post: Post): string => firstLine(post) || postSummary(m, post);
