import { type ReactNode, useMemo } from 'react';
import { type Extra as ExtraData, parseExtra } from '../../../contract/extra.ts';
import { Part } from '../lazy-chunks/lazy-chunks.tsx';
import { ExtraCard } from './ExtraCard.tsx';
import { RichPost } from './rich/RichMessage.tsx';
import type { PostProps } from './types.ts';

interface ExtraProps extends PostProps {
  /** The post's text and files, as every post has them. */
  readonly children: ReactNode;
}

/** A post that is more than text and files: its blocks instead of these, or its card below them. */
export function Extra({ children, ...props }: ExtraProps) {
  const { extra: raw } = props.post;
  const extra = useMemo(() => read(raw), [raw]);
  return (
    <Part otherwise={children}>
      {(parts) =>
        extra.type === 'rich' ? (
          <RichPost {...props} extra={extra} parts={parts} />
        ) : (
          <>
            {children}
            <ExtraCard {...props} extra={extra} parts={parts} />
          </>
        )
      }
    </Part>
  );
}

/** What cannot be read, blocks nested beyond the stack among it, is something that we do not know. */
function read(raw: unknown): ExtraData {
  try {
    return parseExtra(raw, 'extra');
  } catch {
    return { type: 'unknown', name: '' };
  }
}
