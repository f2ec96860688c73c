// Lazy components of post lists that are shown only on demand, each in a separate chunk.
import { type ComponentType, lazy, useEffect } from 'react';
import { Post } from '../../components/post/Post.tsx';
import type { PostProps } from '../../components/post/types.ts';
import { useServices } from '../../context/services.ts';
import type { PostMenuProps } from './PostMenu.tsx';
import type { ViewedMedia } from './use-post-actions.ts';

/** Set by the build: false in the bundle of the tags, whose lists have no compact rows and whose posts no menu. */
declare const __APP__: boolean;

/** Viewer of pictures and videos. */
export const LazyMediaViewer = lazy<ComponentType<LazyMediaViewerProps>>(() =>
  import('./PostMediaViewer.tsx').then(
    ({ PostMediaViewer }) => ({ default: PostMediaViewer }),
    () => ({ default: OpenExternally }),
  ),
);

const loadPostRow = () => import('./PostRow.tsx');
/** Compact row with the title of a post. If its chunk cannot be fetched, the complete post replaces it. */
export const LazyPostRow = lazy<ComponentType<PostProps>>(async () => ({
  default: __APP__
    ? await loadPostRow().then(
        (module) => module.PostRow,
        () => Post,
      )
    : Post,
}));
/** Styles of the compact rows. */
export const LazyRowStyle = lazy<ComponentType>(async () => ({
  default: __APP__
    ? await loadPostRow().then(
        (module) => module.RowStyle,
        () => Nothing,
      )
    : Nothing,
}));
/** Menu of a post. */
export const LazyPostMenu = lazy<ComponentType<PostMenuProps>>(async () => ({
  default: __APP__
    ? await import('./PostMenu.tsx').then(
        (module) => module.PostMenu,
        () => NoMenu,
      )
    : NoMenu,
}));

interface LazyMediaViewerProps {
  readonly viewed: ViewedMedia;
  /** Set if the post itself is not visible: the viewer then links to it. */
  readonly withPostLink?: unknown;
  readonly onClose: () => void;
}

/** Replaces a viewer that could not be fetched: the file opens outside the app, and the list stays. */
function OpenExternally({ viewed, onClose }: LazyMediaViewerProps) {
  const { host, environment } = useServices();
  useEffect(() => {
    const { src } = viewed.first;
    if (src !== undefined) host.openLink(new URL(src, environment.baseUrl || location.href).href);
    onClose();
  });
  return null;
}

function Nothing() {
  return null;
}

/** Replaces a menu that could not be fetched: it closes at once. */
function NoMenu({ onClose }: PostMenuProps) {
  useEffect(onClose);
  return null;
}
