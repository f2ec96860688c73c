import { createContext, memo, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';
import type { PostGroupData, PostGroups } from './post-groups.ts';

/** Set by the build; see build/app-bundle.mjs. */
declare const __APP__: boolean;

interface PostGroupProps {
  readonly group: PostGroupData;
  readonly postGroups: PostGroups;
}

/**
 * Renders the posts of a group. A context, because its data changes often, and only mounted groups have to render
 * again.
 */
export const RenderGroupContext = createContext<(group: PostGroupData) => ReactNode>(() => null);

/** Post group of a virtual list: its posts, or an empty block of their height while the group is unmounted. */
export const PostGroup = memo(function PostGroup({ group, postGroups }: PostGroupProps) {
  const element = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(() => postGroups.placeholderHeightOf(group));
  useLayoutEffect(
    () => (element.current === null ? undefined : postGroups.register(element.current, group.id, setHeight)),
    [postGroups, group.id],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of the posts and each mounting
  useLayoutEffect(() => {
    if (element.current !== null) postGroups.notifyRendered(element.current);
  }, [postGroups, group, height]);
  return (
    <div
      ref={element}
      className="leaf"
      style={height === null ? undefined : { blockSize: height }}
      data-posts={!__APP__ || height === null ? undefined : group.posts.length}
    >
      {height === null && <GroupPosts group={group} />}
    </div>
  );
});

const GroupPosts = ({ group }: Pick<PostGroupProps, 'group'>) => useContext(RenderGroupContext)(group);
