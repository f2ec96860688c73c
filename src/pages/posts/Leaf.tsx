import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Leaf as LeafData, Leaves } from './leaves.ts';

interface LeafProps {
  readonly leaf: LeafData;
  readonly leaves: Leaves;
  children(): ReactNode;
}

/** Some posts of a stream, or an empty block of their height while they are away. */
export function Leaf({ leaf, leaves, children }: LeafProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, send] = useState(() => leaves.height(leaf));
  useLayoutEffect(() => (box.current === null ? undefined : leaves.stand(box.current, leaf.id, send)), [leaves, leaf.id]);
  useLayoutEffect(() => {
    if (box.current !== null) leaves.drawn(box.current);
  });
  return (
    <div ref={box} className="leaf" style={height === null ? undefined : { blockSize: height }}>
      {height === null && children()}
    </div>
  );
}
