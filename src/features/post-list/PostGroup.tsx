import { createContext, memo, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';
import type { Leaf as LeafData, Leaves } from './post-groups.ts';

interface LeafProps {
  readonly leaf: LeafData;
  readonly leaves: Leaves;
}

/** Renders the posts of a chunk. A context, because its data changes often, and only mounted chunks have to render again. */
export const DrawPosts = createContext<(leaf: LeafData) => ReactNode>(() => null);

/** Post group: one chunk of posts in a virtual list, or an empty block of its height while it is unmounted. */
export const Leaf = memo(function Leaf({ leaf, leaves }: LeafProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, send] = useState(() => leaves.height(leaf));
  useLayoutEffect(() => (box.current === null ? undefined : leaves.stand(box.current, leaf.id, send)), [leaves, leaf.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other posts, or the same ones back from away, are drawn anew
  useLayoutEffect(() => {
    if (box.current !== null) leaves.drawn(box.current);
  }, [leaves, leaf, height]);
  return (
    <div ref={box} className="leaf" style={height === null ? undefined : { blockSize: height }}>
      {height === null && <Posts leaf={leaf} />}
    </div>
  );
});

const Posts = ({ leaf }: Pick<LeafProps, 'leaf'>) => useContext(DrawPosts)(leaf);
