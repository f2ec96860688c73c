import { useEffect, useMemo, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { internalLink, postPath } from '../../lib/links.ts';
import { shortDate } from '../lineup/row-text.ts';
import { postSummary } from './post-summary.ts';

const MAX_POSTS = 3;

/**
 * Latest posts of the active channel, one or two lines each. Their space is the same while they load. `now` is the
 * result of useNow.
 */
export function LatestPosts({ channel, now }: { readonly channel: Channel; readonly now: number | null }) {
  const { msg } = useMsg();
  const { dataClient } = useServices();
  const latest = useSignalValue(useMemo(() => dataClient.latestPosts(channel.id), [dataClient, channel.id]));
  if (latest.type === 'failed') return <p className="card-note">{msg('Could not load the latest posts.')}</p>;
  if (latest.type === 'loaded' && latest.value.length === 0) return <p className="card-note">{msg('No posts yet.')}</p>;
  const posts = latest.type === 'loading' ? null : latest.value.slice(0, MAX_POSTS);
  return (
    <ul className="card-posts" aria-busy={posts === null}>
      {posts === null ? <LatestPostsSkeleton /> : posts.map((post) => <LatestPost key={post.id} {...{ post, channel, now }} />)}
    </ul>
  );
}

/** Skeletons of posts that are loading. */
export const LatestPostsSkeleton = () =>
  [1, 2, 3].map((row) => (
    <li key={row}>
      <span className="bone card-bone-time" />
      <span className="bone card-bone-text" />
    </li>
  ));

interface LatestPostProps {
  readonly post: Post;
  readonly channel: Channel;
  readonly now: number | null;
}

function LatestPost({ post, channel, now }: LatestPostProps) {
  const m = useMsg();
  const { environment } = useServices();
  return (
    <li>
      <a {...internalLink(environment, postPath(channel, post.id))}>
        <time dateTime={new Date(post.date * 1000).toISOString()}>{now === null ? '' : shortDate(m, post.date, now)}</time>
        <span dir="auto" className="card-post-text">
          {postSummary(m, post)}
        </span>
      </a>
    </li>
  );
}

/**
 * Returns the time in unix ms; null on a server and in the first render, where the reader's time zone is unknown.
 * Called above the component that each channel switch renders again.
 */
export function useClientNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => setNow(Date.now()), []);
  return now;
}
