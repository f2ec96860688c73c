import { useCallback, useEffect, useState } from 'react';
import type { PostAnswer } from '../../../contract/api.ts';
import { Icon } from '../../components/icons/Icon.tsx';
import { To } from '../../components/Link.tsx';
import { loadFor, useLacking } from '../../components/lazy-chunks/chunk-loaders.tsx';
import { Post } from '../../components/post/Post.tsx';
import { Empty, Failure, PostSkeletons, StandIn } from '../../components/States.tsx';
import { Toast } from '../../components/Toast.tsx';
import { useServices } from '../../context/services.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useToast } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import { createLeaves } from '../post-list/post-groups.ts';
import { useActs } from '../post-list/use-post-actions.ts';

interface PostPageProps {
  /** Id or username of the channel. */
  readonly channelId?: string;
  /** Id of the post in its channel. */
  readonly postId?: number;
}

const loadViewer = () => import('../post-list/PostMediaViewer.tsx').then((part) => part.OpenViewer);

const ONE = [1];

/** Post page: one post, rendered as in the feed. */
export function PostPage({ channelId = '', postId }: PostPageProps) {
  return (
    <div className="page post-page">
      <div className="column">
        {channelId === '' || postId === undefined ? (
          <NoPost channelId={channelId} />
        ) : (
          <KnownPost key={`${channelId}/${postId}`} channelId={channelId} postId={postId} />
        )}
      </div>
    </div>
  );
}

function KnownPost({ channelId, postId }: Required<PostPageProps>) {
  const { channels } = useServices();
  const found = useReadable(channels.post(channelId, postId));
  const lacks = useLacking();
  const answer = found.type === 'loaded' ? found.value : null;
  useEffect(() => {
    if (answer !== null) loadFor([answer.post]);
  }, [answer]);
  if (found.type === 'failed')
    return found.status === 404 ? (
      <NoPost channelId={channelId} />
    ) : (
      <Failure failed={found} onRetry={() => void channels.refresh()} />
    );
  return answer === null || lacks(answer.post) ? <PostSkeletons bones={ONE} /> : <LoadedPost {...answer} />;
}

function LoadedPost({ post, channel }: PostAnswer) {
  const { channels, site } = useServices();
  const { toast, show } = useToast();
  const stars = useReadable(channels.stars);
  const [leaves] = useState(createLeaves);
  const { acts, viewed, closeViewer } = useActs(
    useCallback(() => channel, [channel]),
    show,
    leaves,
  );
  const Viewer = useLazy(loadViewer, viewed !== null);
  return (
    <>
      <Post
        {...{ post, channel, acts }}
        now={useNow()}
        place={site}
        head="channel"
        number={null}
        unread={false}
        starred={stars.has(`${post.channelId}/${post.id}`)}
        position={1}
        size={1}
      />
      {Viewer !== null && viewed !== null && <Viewer viewed={viewed} onClose={closeViewer} />}
      <Toast toast={toast} />
    </>
  );
}

/** Shown if the post does not exist or the reader may not read it; both cases look the same. */
function NoPost({ channelId }: { readonly channelId: string }) {
  const { msg } = useMsg();
  const { site } = useServices();
  return (
    <StandIn message="There is no such post here">
      <Empty
        icon={<Icon name="info" />}
        title={msg('This post is not here')}
        text={msg('It may have been removed, or it was never brought here.')}
      >
        {channelId !== '' && (
          <To className="button quiet" place={site} path={channelPath({ id: channelId })}>
            {msg('Show all posts')}
          </To>
        )}
      </Empty>
    </StandIn>
  );
}
