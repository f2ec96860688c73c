import { useCallback, useEffect, useState } from 'react';
import type { PostResponse } from '../../../contract/api.ts';
import { Icon } from '../../components/icons/Icon.tsx';
import { PageLink } from '../../components/Link.tsx';
import { loadChunksFor, useMissingChunks } from '../../components/lazy-chunks/chunk-loaders.tsx';
import { Post } from '../../components/post/Post.tsx';
import { EmptyState, ErrorState, FallbackSlot, PostSkeletons } from '../../components/States.tsx';
import { Toast } from '../../components/Toast.tsx';
import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useToast } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import { createPostGroups } from '../post-list/post-groups.ts';
import { usePostActions } from '../post-list/use-post-actions.ts';

interface PostPageProps {
  /** Id or username of the channel. */
  readonly channelId?: string;
  /** Id of the post in its channel. */
  readonly postId?: number;
}

const loadViewer = () => import('../post-list/PostMediaViewer.tsx').then((module) => module.PostMediaViewer);

/** Keys of the skeletons: one post is loading. */
const ONE_SKELETON = [1];

/** Post page: one post, rendered as in the feed. */
export function PostPage({ channelId = '', postId }: PostPageProps) {
  return (
    <div className="page post-page">
      <div className="column">
        {channelId === '' || postId === undefined ? (
          <PostNotFound channelId={channelId} />
        ) : (
          <PostById key={`${channelId}/${postId}`} channelId={channelId} postId={postId} />
        )}
      </div>
    </div>
  );
}

/** Loads a post, and the chunks that render it. */
function PostById({ channelId, postId }: Required<PostPageProps>) {
  const { dataClient } = useServices();
  const loadable = useSignalValue(dataClient.post(channelId, postId));
  const isWaitingForChunk = useMissingChunks();
  const response = loadable.type === 'loaded' ? loadable.value : null;
  useEffect(() => {
    if (response !== null) loadChunksFor([response.post]);
  }, [response]);
  if (loadable.type === 'failed')
    return loadable.status === 404 ? (
      <PostNotFound channelId={channelId} />
    ) : (
      <ErrorState failure={loadable} onRetry={() => void dataClient.refresh()} />
    );
  return response === null || isWaitingForChunk(response.post) ? (
    <PostSkeletons keys={ONE_SKELETON} />
  ) : (
    <LoadedPost {...response} />
  );
}

/** The post, its media viewer and the toast. */
function LoadedPost({ post, channel }: PostResponse) {
  const { dataClient, environment } = useServices();
  const { toast, show, hold } = useToast();
  const stars = useSignalValue(dataClient.stars);
  const [postGroups] = useState(createPostGroups);
  const { actions, viewed, closeViewer } = usePostActions(
    useCallback(() => channel, [channel]),
    show,
    postGroups,
  );
  const Viewer = useLazyComponent(loadViewer, viewed !== null);
  return (
    <>
      <Post
        {...{ post, channel, actions }}
        now={useNow()}
        linkContext={environment}
        headerStyle="channel"
        number={null}
        unread={false}
        starred={stars.has(`${post.channelId}/${post.id}`)}
        position={1}
        listLength={1}
      />
      {Viewer !== null && viewed !== null && <Viewer viewed={viewed} onClose={closeViewer} />}
      <Toast toast={toast} hold={hold} />
    </>
  );
}

/** Shown if the post does not exist or the reader may not read it; both cases look the same. */
function PostNotFound({ channelId }: { readonly channelId: string }) {
  const { msg } = useMsg();
  const { environment } = useServices();
  return (
    <FallbackSlot message="There is no such post here">
      <EmptyState
        icon={<Icon name="info" />}
        title={msg('Post not found')}
        text={msg('It may have been removed, or it was never imported.')}
      >
        {channelId !== '' && (
          <PageLink className="button quiet" linkContext={environment} path={channelPath({ id: channelId })}>
            {msg('Show all posts')}
          </PageLink>
        )}
      </EmptyState>
    </FallbackSlot>
  );
}
