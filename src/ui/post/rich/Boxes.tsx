import { useMemo, useState } from 'react';
import type { Block, Words } from '../../../../contract/extra.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { type AroundBlocks, type BlocksProps, boxDirOf, dirOf } from './around.ts';
import { Blocks } from './Blocks.tsx';
import { foldBlocks } from './fold-blocks.ts';
import { Line } from './Line.tsx';

interface BoxProps<Type extends Block['type']> extends Omit<BlocksProps, 'blocks'> {
  readonly block: Extract<Block, { type: Type }>;
}

/** As a long quote in plain text is folded (text/Standing.tsx). */
const QUOTE_LONG = 260;
const QUOTE_SHOWN = 190;

/** A quote of blocks, with whose words they are; one that its author folded opens when asked. */
export function Quote({ block, around, depth }: BoxProps<'quote'>) {
  const { msg } = useMsg();
  const [open, setOpen] = useState(false);
  const { blocks, folded: mayFold, credit } = block;
  const folded = useMemo(() => (mayFold === true ? foldBlocks(blocks, QUOTE_LONG, QUOTE_SHOWN) : null), [blocks, mayFold]);
  const { blocks: shown, end } = open || folded === null ? { blocks } : folded;
  return (
    <blockquote dir={boxDirOf(blocks, around)} className={end === undefined ? undefined : 'cut'}>
      <Blocks blocks={shown} around={around} depth={depth + 1} end={end} />
      {folded !== null && (
        <button type="button" className="link more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? msg('Show less') : msg('Show more')}
        </button>
      )}
      <Credit credit={credit} around={around} />
    </blockquote>
  );
}

/** Words that their author sets apart, large. */
export function Pullquote({ block, around }: Omit<BoxProps<'pullquote'>, 'depth'>) {
  return (
    <blockquote className="pullquote">
      <p dir={dirOf(block.text, around)}>
        <Line words={block} around={around} />
      </p>
      <Credit credit={block.credit} around={around} />
    </blockquote>
  );
}

/** Whose words or whose picture it is. */
export function Credit({ credit, around }: { readonly credit: Words | undefined; readonly around: AroundBlocks }) {
  if (credit === undefined || credit.text === '') return null;
  return (
    <cite dir={dirOf(credit.text, around)}>
      <Line words={credit} around={around} />
    </cite>
  );
}

/** Blocks under a line that opens them. */
export function Details({ block, around, depth }: BoxProps<'details'>) {
  const { summary, blocks, open = false } = block;
  return (
    <details open={open} dir={boxDirOf([block], around)}>
      <summary>
        <Line words={summary} around={around} />
      </summary>
      <div>
        <Blocks blocks={blocks} around={around} depth={depth + 1} />
      </div>
    </details>
  );
}

/** What an assistant thought before it wrote. */
export function Thinking({ block, around }: Omit<BoxProps<'thinking'>, 'depth'>) {
  const { msg } = useMsg();
  return (
    <details className="thinking">
      <summary>{msg('Thoughts')}</summary>
      <p dir={dirOf(block.text, around)}>
        <Line words={block} around={around} />
      </p>
    </details>
  );
}
