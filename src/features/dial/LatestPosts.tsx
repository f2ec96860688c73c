import { useEffect, useMemo, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { useServices } from '../../context/services.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { placeLink, postPath } from '../../lib/links.ts';
import { shortDate } from '../lineup/row-text.ts';
import { summary } from './post-summary.ts';

const SHOWN = 3;

/**
 * Latest posts of the active channel, one or two lines each. Their space is the same while they load. `now` is the result of
 * useNow.
 */
export function LastPosts({ channel, now }: { readonly channel: Channel; readonly now: number | null }) {
  const { msg } = useMsg();
  const { channels } = useServices();
  const latest = useReadable(useMemo(() => channels.latest(channel.id), [channels, channel.id]));
  if (latest.type === 'failed') return <p className="card-note">{msg('The last posts could not be read.')}</p>;
  if (latest.type === 'loaded' && latest.value.length === 0) return <p className="card-note">{msg('No posts yet.')}</p>;
  const posts = latest.type === 'loading' ? null : latest.value.slice(0, SHOWN);
  return (
    <ul className="card-posts" aria-busy={posts === null}>
      {posts === null ? <PostBones /> : posts.map((post) => <LastPost key={post.id} {...{ post, channel, now }} />)}
    </ul>
  );
}

/** Skeletons of posts that are loading. */
export const PostBones = () =>
  [1, 2, 3].map((row) => (
    <li key={row}>
      <span className="bone card-bone-time" />
      <span className="bone card-bone-text" />
    </li>
  ));

interface LastPostProps {
  readonly post: Post;
  readonly channel: Channel;
  readonly now: number | null;
}

function LastPost({ post, channel, now }: LastPostProps) {
  const m = useMsg();
  const { site } = useServices();
  return (
    <li>
      <a {...placeLink(site, postPath(channel, post.id))}>
        <time dateTime={new Date(post.date * 1000).toISOString()}>{now === null ? '' : shortDate(m, post.date, now)}</time>
        <span dir="auto" className="card-post-text">
          {summary(m, post)}
        </span>
      </a>
    </li>
  );
}

/**
 * Returns the time in unix ms; null on a server and in the first render, where the reader's time zone is unknown. Called above
 * the component that each channel switch renders again.
 */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => setNow(Date.now()), []);
  return now;
}
