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
  readonly label: string;
  onList(): void;
}

/** Returns true if a file has a tile: it is visual, and stored on this server. */
const hasTile = (item: Media): boolean => (isVisual(item) || item.type === 'video_note') && item.src !== undefined;

/** Media grid: photos and videos of posts as square tiles, one tile for each file of an album. */
export function MediaGrid({ feed, postGroups, groups, state, actions, label, onList }: MediaGridProps) {
  const { environment } = useServices();
  const now = useNow();
  const tiles = useMemo(
    () => state.posts.flatMap((post) => post.media.filter(hasTile).map((item, index) => ({ post, item, index }))),
    [state.posts],
  );
  // Registers one tile for each group of posts, so that Back finds the position of a post.
  useLayoutEffect(() => {
    const unregisters = groups.map(({ id, posts }) => {
      const keys = new Set(posts.map(postKey));
      const tile = [...(feed.current?.children ?? [])].find(
        (element) => element instanceof HTMLElement && keys.has(element.dataset.key ?? ''),
      );
      return tile instanceof HTMLElement ? postGroups.register(tile, id, () => {}) : undefined;
    });
    return () => {
      for (const unregister of unregisters) unregister?.();
    };
  }, [feed, postGroups, groups]);
  if (tiles.length === 0 && state.older === 'end') return <NoTiles onList={onList} />;
  return (
    <>
      <Style />
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

/** Mounts the styles before the tiles: on Back, the scroll position is measured as soon as the tiles are mounted. */
function Style(): ReactNode {
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
