import { type ReactNode, useLayoutEffect, useMemo } from 'react';
import type { Media } from '../../../../contract/post.ts';
import { EmptyState } from '../../../components/States.tsx';
import { useServices } from '../../../context/services.ts';
import { postKey } from '../../../data/model/post-key.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { useStylesheet } from '../../../hooks/use-stylesheet.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { useAreaMessages } from '../../../i18n/lazy-messages.ts';
import { isVisual } from '../../../lib/media-kinds.ts';
import type { RenderPostsProps } from '../../post-list/PostList.tsx';
import { MediaTile } from './MediaTile.tsx';
import styles from './media-grid.css';

interface MediaGridProps extends RenderPostsProps {
  /** Accessible name of the grid. */
  readonly label: string;
  /** Shows the list of posts instead of the grid. */
  onList(): void;
}

/** Returns true if a file has a tile: it is a picture or a video, and stored on this server. */
const hasTile = (file: Media): boolean => (isVisual(file) || file.type === 'video_note') && file.src !== undefined;

/** Media grid: photos and videos of posts as square tiles, one tile for each file of an album. */
export function MediaGrid({ feed, postGroups, groups, state, actions, label, onList }: MediaGridProps) {
  const { environment } = useServices();
  const now = useNow();
  const tiles = useMemo(
    () => state.posts.flatMap((post) => post.media.filter(hasTile).map((item, index) => ({ post, item, index }))),
    [state.posts],
  );
  // Registers one tile of each post group as the group's element: the scroll restoration looks for it after Back.
  // The callback does nothing, because a grid never unmounts its groups.
  useLayoutEffect(() => {
    const unregisterCallbacks = groups.map(({ id, posts }) => {
      const keys = new Set(posts.map(postKey));
      const tile = [...(feed.current?.children ?? [])].find(
        (element) => element instanceof HTMLElement && keys.has(element.dataset.key ?? ''),
      );
      return tile instanceof HTMLElement ? postGroups.register(tile, id, () => {}) : undefined;
    });
    return () => {
      for (const unregister of unregisterCallbacks) unregister?.();
    };
  }, [feed, postGroups, groups]);
  if (tiles.length === 0 && state.older === 'end') return <NoTiles onList={onList} />;
  return (
    <>
      <GridStyles />
      <ul
        ref={(list) => {
          feed.current = list;
        }}
        className="media-grid"
        aria-label={label}
        aria-busy={state.older === 'loading' || state.newer === 'loading'}
      >
        {tiles.map(({ post, item, index }) => (
          <li key={`${postKey(post)} ${index}`} data-key={postKey(post)}>
            <MediaTile {...{ post, item, now }} base={environment.baseUrl} onOpen={actions.viewMedia} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Adds the styles before the tiles are mounted: after Back, the scroll position is measured as soon as they are. */
function GridStyles(): ReactNode {
  return <div ref={useStylesheet(styles)} hidden />;
}

/** Empty state: there are posts with files, but no file has a tile. */
function NoTiles({ onList }: Pick<MediaGridProps, 'onList'>) {
  const { msg } = useMsg();
  if (!useAreaMessages('grid')) return null;
  return (
    <EmptyState icon={null} title={msg('No photos or videos yet')} text={msg('Posts with other files are in the list.')}>
      <button type="button" className="button quiet" onClick={onList}>
        {msg('Show the list')}
      </button>
    </EmptyState>
  );
}
