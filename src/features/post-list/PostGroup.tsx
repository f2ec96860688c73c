import { createContext, memo, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';
import type { PostGroupData as LeafData, PostGroups } from './post-groups.ts';

interface PostGroupProps {
  readonly group: LeafData;
  readonly postGroups: PostGroups;
}

/** Renders the posts of a chunk. A context, because its data changes often, and only mounted chunks have to render again. */
export const RenderGroupContext = createContext<(leaf: LeafData) => ReactNode>(() => null);

/** Post group: one chunk of posts in a virtual list, or an empty block of its height while it is unmounted. */
export const PostGroup = memo(function Leaf({ group: leaf, postGroups: leaves }: PostGroupProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, send] = useState(() => leaves.placeholderHeightOf(leaf));
  useLayoutEffect(() => (box.current === null ? undefined : leaves.register(box.current, leaf.id, send)), [leaves, leaf.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other posts, or the same ones back from away, are rendered again
  useLayoutEffect(() => {
    if (box.current !== null) leaves.notifyRendered(box.current);
  }, [leaves, leaf, height]);
  return (
    <div ref={box} className="leaf" style={height === null ? undefined : { blockSize: height }}>
      {height === null && <GroupPosts group={leaf} />}
    </div>
  );
});

const GroupPosts = ({ group: leaf }: Pick<PostGroupProps, 'group'>) => useContext(RenderGroupContext)(leaf);
