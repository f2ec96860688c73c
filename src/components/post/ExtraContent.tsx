import { type ReactNode, useMemo } from 'react';
import { type Extra as ExtraData, parseExtra } from '../../../contract/extra.ts';
import { Part } from '../lazy-chunks/lazy-chunks.tsx';
import { ExtraCard } from './ExtraCard.tsx';
import { RichPost } from './rich/RichMessage.tsx';
import type { PostProps } from './types.ts';

interface ExtraProps extends PostProps {
  /** Text and files of the post, rendered as for every post. */
  readonly children: ReactNode;
}

/**
 * Extra content: renders a post that has more than text and files. A rich message replaces the text and files; a card is added
 * below them.
 */
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

/**
 * Parses the extra content. Data that cannot be parsed, including blocks nested so deeply that the stack overflows, is of type
 * `unknown`.
 */
function read(raw: unknown): ExtraData {
  try {
    return parseExtra(raw, 'extra');
  } catch {
    return { type: 'unknown', name: '' };
  }
}
