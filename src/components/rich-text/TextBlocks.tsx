import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { PartIcon } from '../icons/PostIcon.tsx';
import { Inline } from './Inline.tsx';
import { nest } from './nest-runs.ts';
import { Blocks, type BlocksProps } from './RichText.tsx';
import { type Block, blocks } from './split-blocks.ts';
import { isBelow } from './truncate-text.ts';

type Standing<Type extends Block['type']> = Omit<BlocksProps, 'list'> & { readonly block: Extract<Block, { type: Type }> };

/** Matches a text whose first letter is from a right-to-left script: Hebrew to Arabic Extended, and their presentation forms. */
const RUNS_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufefc]/u;

/** Time for which "Copied" is shown, in ms. */
const COPIED_SHOWN = 2500;
const QUOTE_LONG = 200;
const QUOTE_SHOWN = 150;

/** Quote block. A long one that its author made expandable is truncated. */
export function Quote({ block, runs, around }: Standing<'quote'>) {
  const { msg } = useMsg();
  const [chosen, choose] = useState<boolean | null>(null);
  const inside = runs.filter((run) => run.entity !== block.run.entity);
  const long = block.run.type === 'expandable_blockquote' && block.end - block.start > QUOTE_LONG;
  const cut = around.text.lastIndexOf(' ', block.start + QUOTE_SHOWN);
  const fold = Math.max(cut, block.start + QUOTE_SHOWN / 2);
  const found = inside.filter(({ type, start }) => type === 'hit' && start >= block.start && start < block.end);
  const open = chosen ?? isBelow(found, fold);
  const end = long && !open ? fold : block.end;
  return (
    <blockquote dir={directionOf(around.text.slice(block.start, block.end))} className={end < block.end ? 'cut' : ''}>
      <Blocks
        list={end === block.end ? block.blocks : blocks(around.text, inside, block.start, end, 1)}
        runs={inside}
        around={around}
      />
      {long && (
        <button type="button" className="link more" aria-expanded={open} onClick={() => choose(!open)}>
          {open ? msg('Show less') : msg('Show more')}
        </button>
      )}
    </blockquote>
  );
}

/** Returns the direction of a text by its first letter. `dir="auto"` would ignore elements that have their own `dir`. */
export const directionOf = (text: string): 'rtl' | 'ltr' => (RUNS_LEFT.test(text) ? 'rtl' : 'ltr');

/** Code block in a text. */
export function Code({ block, runs, around }: Standing<'pre'>) {
  const inside = runs.filter((run) => run.type === 'hit');
  return (
    <CodeBox code={around.text.slice(block.start, block.end)} language={block.run.entity?.language}>
      <Inline branches={nest(around.text, inside, block.start, block.end)} around={around} />
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
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    const written = navigator.clipboard?.writeText(code) ?? Promise.reject();
    written.then(
      () => setCopied(true),
      // If the container forbids clipboard access, selects the code, so that the reader only has to press the copy shortcut.
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
          <PartIcon name={copied ? 'done' : 'copy'} small />
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard */}
      <pre ref={box} tabIndex={0}>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
