import { useMemo } from 'react';
import type { Entity } from '../../../contract/post.ts';
import { type Run, toRuns } from '../../../contract/runs.ts';
import type { Place } from '../../lib/links.ts';
import { Part } from '../lazy-chunks/lazy-chunks.tsx';
import type { Find } from './highlight.ts';
import { Inline, type TextSurroundings } from './Inline.tsx';
import { nest } from './nest-runs.ts';
import { type Block, blocks } from './split-blocks.ts';

interface RichTextProps {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly channel: { readonly id: string; readonly username?: string };
  readonly place: Place;
  /** Finds the search hits to highlight. */
  readonly find?: Find | undefined;
  /** Truncates the text at this offset. */
  readonly end?: number | undefined;
}

const EMOJI_ONLY = /^(?:\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s){1,24}$/u;

/** Rich text: renders a text with its entities. Each paragraph has its own direction. The text is never interpreted as markup. */
export function RichText({ text, entities, channel, place, find, end = text.length }: RichTextProps) {
  const runs = useMemo(() => [...toRuns(text, entities), ...(find?.(text) ?? [])], [text, entities, find]);
  const around = { text, channel, place };
  const kind = end < text.length ? 'text cut' : EMOJI_ONLY.test(text) ? 'text emoji' : 'text';
  return (
    <div className={kind} part="post-body">
      <Blocks list={blocks(text, runs, 0, end)} runs={runs} around={around} />
    </div>
  );
}

export interface BlocksProps {
  readonly list: readonly Block[];
  readonly runs: readonly Run[];
  readonly around: TextSurroundings;
}

/**
 * Renders the blocks of a text below each other. If the chunk for quotes and code failed to load, they are rendered as
 * paragraphs.
 */
export function Blocks({ list, runs, around }: BlocksProps) {
  return list.map((block) => {
    const paragraph = (
      <p key={block.start} dir="auto">
        <Inline branches={nest(around.text, runs, block.start, block.end)} around={around} />
      </p>
    );
    if (block.type === 'paragraph') return paragraph;
    return (
      <Part key={block.start} otherwise={paragraph}>
        {({ Code, Quote }) =>
          block.type === 'pre' ? <Code {...{ block, runs, around }} /> : <Quote {...{ block, runs, around }} />
        }
      </Part>
    );
  });
}
