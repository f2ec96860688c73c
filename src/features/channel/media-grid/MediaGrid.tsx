import { type ReactNode, useLayoutEffect, useMemo } from 'react';
import type { Media } from '../../../../contract/post.ts';
import { Empty } from '../../../components/States.tsx';
import { useServices } from '../../../context/services.ts';
import { postKey } from '../../../data/model/post-key.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { useStyle } from '../../../hooks/use-stylesheet.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { useWords } from '../../../i18n/lazy-messages.ts';
import { isVisual } from '../../../lib/media-kinds.ts';
import type { DrawnPosts } from '../../post-list/PostList.tsx';
import { MediaTile } from './MediaTile.tsx';
import styles from './media-grid.css';

interface MediaGridProps extends DrawnPosts {
  readonly label: string;
  onList(): void;
}

/** Returns whether a file has a tile: it is seen, and here. */
const hasTile = (item: Media): boolean => (isVisual(item) || item.type === 'video_note') && item.src !== undefined;

/** Photos and videos of posts as square tiles, each file of an album by itself. */
export function MediaGrid({ feed, leaves, divided, state, acts, label, onList }: MediaGridProps) {
  const { site } = useServices();
  const now = useNow();
  const tiles = useMemo(
    () => state.posts.flatMap((post) => post.media.filter(hasTile).map((item, at) => ({ post, item, at }))),
    [state.posts],
  );
  // A tile stands for each leaf, so that Back finds the place of a post.
  useLayoutEffect(() => {
    const ends = divided.map(({ id, posts }) => {
      const keys = new Set(posts.map(postKey));
      const tile = [...(feed.current?.children ?? [])].find(
        (one) => one instanceof HTMLElement && keys.has(one.dataset.key ?? ''),
      );
      return tile instanceof HTMLElement ? leaves.stand(tile, id, () => {}) : undefined;
    });
    return () => {
      for (const end of ends) end?.();
    };
  }, [feed, leaves, divided]);
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
        {tiles.map(({ post, item, at }) => (
          <li key={`${postKey(post)} ${at}`} data-key={postKey(post)}>
            <MediaTile {...{ post, item, now }} base={site.base} onOpen={acts.view} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Stands before the tiles: the place that Back leads to is measured as soon as they stand. */
function Style(): ReactNode {
  return <div ref={useStyle(styles)} hidden />;
}

/** Posts with files are here, and none of the files has a tile. */
function NoTiles({ onList }: Pick<MediaGridProps, 'onList'>) {
  const { msg } = useMsg();
  if (!useWords('grid')) return null;
  return (
    <Empty icon={null} title={msg('No photos or videos yet')} text={msg('Posts with other files are in the list.')}>
      <button type="button" className="button quiet" onClick={onList}>
        {msg('Show the list')}
      </button>
    </Empty>
  );
}
