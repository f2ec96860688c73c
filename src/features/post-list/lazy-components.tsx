// Parts of lists that are shown only on demand, each in a chunk of its own.
import { type ComponentType, lazy, useEffect } from 'react';
import { Post } from '../../components/post/Post.tsx';
import type { PostProps } from '../../components/post/types.ts';
import { useServices } from '../../context/services.ts';
import type { PostMenuProps } from './PostMenu.tsx';
import type { Viewed } from './use-post-actions.ts';

/** Put in place by the build: false in the bundle of the tags, whose lists have no rows and whose posts no menu. */
declare const __APP__: boolean;

/** Shows pictures and videos large. */
export const Viewer = lazy<ComponentType<ViewerProps>>(() =>
  import('./PostMediaViewer.tsx').then(
    ({ OpenViewer }) => ({ default: OpenViewer }),
    () => ({ default: OpenOutside }),
  ),
);

const loadRow = () => import('./PostRow.tsx');
// Whole posts stand in for rows that cannot be fetched.
/** A post as a row of titles. */
export const PostRow = lazy<ComponentType<PostProps>>(async () => ({
  default: __APP__
    ? await loadRow().then(
        (part) => part.PostRow,
        () => Post,
      )
    : Post,
}));
export const RowStyle = lazy<ComponentType>(async () => ({
  default: __APP__
    ? await loadRow().then(
        (part) => part.RowStyle,
        () => Nothing,
      )
    : Nothing,
}));
export const PostMenu = lazy<ComponentType<PostMenuProps>>(async () => ({
  default: __APP__
    ? await import('./PostMenu.tsx').then(
        (part) => part.PostMenu,
        () => NoMenu,
      )
    : NoMenu,
}));

interface ViewerProps {
  readonly viewed: Viewed;
  /** Given where the post itself is not in sight: a link leads to it. */
  readonly apart?: unknown;
  readonly onClose: () => void;
}

/** Stands in for a viewer that could not be fetched: the file opens outside, and the list stays. */
function OpenOutside({ viewed, onClose }: ViewerProps) {
  const { host, site } = useServices();
  useEffect(() => {
    const { src } = viewed.first;
    if (src !== undefined) host.openLink(new URL(src, site.base || location.href).href);
    onClose();
  });
  return null;
}

function Nothing() {
  return null;
}

/** Stands in for a menu that could not be fetched: it closes by itself. */
function NoMenu({ onClose }: PostMenuProps) {
  useEffect(onClose);
  return null;
}
