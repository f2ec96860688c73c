import { type ReactNode, useMemo } from 'react';
import { type PostExtra as ExtraData, parseExtra } from '../../../contract/extra.ts';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { ExtraCard } from './ExtraCard.tsx';
import { RichMessage } from './rich/RichMessage.tsx';
import type { PostProps } from './types.ts';

interface ExtraContentProps extends PostProps {
  /** Text and files of the post, rendered as for every post. */
  readonly children: ReactNode;
}

/**
 * Extra content: renders a post that has more than text and files. A rich message replaces the text and files; a card
 * is added below them.
 */
export function ExtraContent({ children, ...props }: ExtraContentProps) {
  const { extra: rawExtra } = props.post;
  const extra = useMemo(() => parsePostExtra(rawExtra), [rawExtra]);
  return (
    <CommonChunk fallback={children}>
      {(chunk) =>
        extra.type === 'rich' ? (
          <RichMessage {...props} extra={extra} commonChunk={chunk} />
        ) : (
          <>
            {children}
            <ExtraCard {...props} extra={extra} commonChunk={chunk} />
          </>
        )
      }
    </CommonChunk>
  );
}

/**
 * Parses the extra content. Data that cannot be parsed, including blocks nested so deeply that the stack overflows, is
 * of type `unknown`.
 */
function parsePostExtra(raw: unknown): ExtraData {
  try {
    return parseExtra(raw, 'extra');
  } catch {
    return { type: 'unknown', name: '' };
  }
}
