import { useMemo } from 'react';
import type { Entity } from '../../../contract/post.ts';
import { type TextRun, toTextRuns } from '../../../contract/runs.ts';
import type { LinkContext } from '../../lib/links.ts';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';
import type { HighlightFinder } from './highlight.ts';
import { Inline, type TextContext } from './Inline.tsx';
import { nestRuns } from './nest-runs.ts';
import { splitBlocks, type TextBlock } from './split-blocks.ts';

interface RichTextProps {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly channel: { readonly id: string; readonly username?: string };
  readonly linkContext: LinkContext;
  /** Finds the search hits to highlight. */
  readonly findHighlights?: HighlightFinder | undefined;
  /** Truncates the text at this offset. */
  readonly end?: number | undefined;
}

/** Matches a text of at most 24 code points that are only emoji and spaces. It is shown in a larger size. */
const EMOJI_ONLY = /^(?:\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s){1,24}$/u;

/** Rich text: renders a text with its entities. Each paragraph has its own direction. The text is never interpreted as markup. */
export function RichText({ text, entities, channel, linkContext, findHighlights, end = text.length }: RichTextProps) {
  const runs = useMemo(
    () => [...toTextRuns(text, entities), ...(findHighlights?.(text) ?? [])],
    [text, entities, findHighlights],
  );
  const context = { text, channel, linkContext };
  const completeTextClass = EMOJI_ONLY.test(text) ? 'text emoji' : 'text';
  return (
    <div className={end < text.length ? 'text cut' : completeTextClass} part="post-body">
      <TextBlocks list={splitBlocks(text, runs, 0, end)} runs={runs} context={context} />
    </div>
  );
}

export interface TextBlocksProps {
  readonly list: readonly TextBlock[];
  readonly runs: readonly TextRun[];
  readonly context: TextContext;
}

/**
 * Renders the blocks of a text below each other. If the chunk for quotes and code failed to load, they are rendered as
 * paragraphs.
 */
export function TextBlocks({ list, runs, context }: TextBlocksProps) {
  return list.map((block) => {
    const paragraph = (
      <p key={block.start} dir="auto">
        <Inline branches={nestRuns(context.text, runs, block.start, block.end)} context={context} />
      </p>
    );
    if (block.type === 'paragraph') return paragraph;
    return (
      <CommonChunk key={block.start} fallback={paragraph}>
        {({ Code, Quote }) =>
          block.type === 'pre' ? <Code {...{ block, runs, context }} /> : <Quote {...{ block, runs, context }} />
        }
      </CommonChunk>
    );
  });
}
