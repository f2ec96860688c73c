// Text blocks of a rich text: quotes and code.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { PostIcon } from '../icons/PostIcon.tsx';
import { Fold } from './Fold.tsx';
import { Inline } from './Inline.tsx';
import { nestRuns } from './nest-runs.ts';
import { TextBlocks, type TextBlocksProps } from './RichText.tsx';
import { splitBlocks, type TextBlock } from './split-blocks.ts';
import { isBelowTruncation } from './truncate-text.ts';

/** Build constant: true in the server's renderer. */
declare const __PRERENDER__: boolean;

type TextBlockProps<Type extends TextBlock['type']> = Omit<TextBlocksProps, 'list'> & {
  readonly block: Extract<TextBlock, { type: Type }>;
};

/** Matches a text whose first letter is from a right-to-left script: Hebrew to Arabic Extended, and their presentation forms. */
const STARTS_RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufefc]/u;

/** Time for which "Copied" is shown, in ms. */
const COPIED_NOTICE_MS = 2500;
/** An expandable quote that is longer than the first number is truncated to the second; both in characters. */
const MAX_QUOTE_LENGTH = 200;
const TRUNCATED_QUOTE_LENGTH = 150;

/** Quote block. A long one that its author made expandable is truncated. */
export function Quote({ block, runs, context }: TextBlockProps<'quote'>) {
  const { msg } = useMsg();
  /** Null until the reader expands or collapses the quote. */
  const [openedByReader, setOpenedByReader] = useState<boolean | null>(null);
  const innerRuns = runs.filter((run) => run.entity !== block.run.entity);
  const isLong = block.run.type === 'expandable_blockquote' && block.end - block.start > MAX_QUOTE_LENGTH;
  const wordEnd = context.text.lastIndexOf(' ', block.start + TRUNCATED_QUOTE_LENGTH);
  const truncation = Math.max(wordEnd, block.start + TRUNCATED_QUOTE_LENGTH / 2);
  const innerHits = innerRuns.filter(({ type, start }) => type === 'hit' && start >= block.start && start < block.end);
  const open = openedByReader ?? isBelowTruncation(innerHits, truncation);
  const end = isLong && !open ? truncation : block.end;
  return (
    <blockquote dir={firstLetterDirection(context.text.slice(block.start, block.end))} className={end < block.end ? 'cut' : ''}>
      <TextBlocks
        list={end === block.end ? block.blocks : splitBlocks(context.text, innerRuns, block.start, end, 1)}
        runs={innerRuns}
        context={context}
      />
      {__PRERENDER__ && context.linkContext.embedded && end < block.end ? (
        <Fold>
          <TextBlocks list={block.blocks} runs={innerRuns} context={context} />
        </Fold>
      ) : (
        isLong && (
          <button type="button" className="link more" aria-expanded={open} onClick={() => setOpenedByReader(!open)}>
            {open ? msg('Show less') : msg('Show more')}
          </button>
        )
      )}
    </blockquote>
  );
}

/** Returns the direction of a text by its first letter. `dir="auto"` would ignore elements that have their own `dir`. */
export const firstLetterDirection = (text: string): 'rtl' | 'ltr' => (STARTS_RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr');

/** Code block in a text. */
export function Code({ block, runs, context }: TextBlockProps<'pre'>) {
  const hits = runs.filter((run) => run.type === 'hit');
  return (
    <CodeBox code={context.text.slice(block.start, block.end)} language={block.run.entity?.language}>
      <Inline branches={nestRuns(context.text, hits, block.start, block.end)} context={context} />
    </CodeBox>
  );
}

interface CodeBoxProps {
  readonly code: string;
  readonly language: string | undefined;
  /** The rendered code. */
  readonly children: ReactNode;
}

/** Code in a frame, with a button that copies all of it. */
export function CodeBox({ code, language, children }: CodeBoxProps) {
  const { msg } = useMsg();
  const [copied, setCopied] = useState(false);
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_NOTICE_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    const copying = navigator.clipboard?.writeText(code) ?? Promise.reject();
    copying.then(
      () => setCopied(true),
      // If the host forbids clipboard access, this selects the code, so that the reader only has to press the copy
      // shortcut.
      () => box.current !== null && getSelection()?.selectAllChildren(box.current),
    );
  };
  return (
    <figure className="code" dir="ltr">
      <figcaption>
        <span>{language}</span>
        <span className="hidden" role="status">
          {copied && msg('Copied')}
        </span>
        <button type="button" onClick={copy} aria-label={msg('Copy code')}>
          <PostIcon name={copied ? 'done' : 'copy'} small />
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard */}
      <pre ref={box} tabIndex={0}>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
