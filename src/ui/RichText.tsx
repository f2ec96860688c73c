import { useMemo, useState } from 'react';
import type { Entity } from '../../contract/post.ts';
import { useMsg } from '../i18n/i18n.ts';
import type { Place } from './addresses.ts';
import { Icon } from './Icon.tsx';
import { type Block, blocks } from './text/blocks.ts';
import { hits } from './text/hits.ts';
import { Inline, type TextSurroundings } from './text/Inline.tsx';
import { nest, type Run, toRuns } from './text/nest.ts';

interface RichTextProps {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly channel: { readonly id: string; readonly username?: string };
  readonly place: Place;
  /** Words to highlight. */
  readonly query?: string | undefined;
  /** Shows the text only up to here. */
  readonly end?: number | undefined;
}

const EMOJI_ONLY = /^(?:\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s){1,24}$/u;

/** Shows a text with its entities. Each line takes its own direction; what is markup in the text stays text. */
export function RichText({ text, entities, channel, place, query, end = text.length }: RichTextProps) {
  const runs = useMemo(() => {
    const found = query === undefined || query === '' ? [] : hits(text, query);
    return [...toRuns(text, entities), ...found];
  }, [text, entities, query]);
  const around = { text, channel, place };
  return (
    <div className={EMOJI_ONLY.test(text) ? 'text emoji' : 'text'}>
      <Blocks list={blocks(text, runs, 0, end)} runs={runs} around={around} />
      {end < text.length && <span aria-hidden="true">…</span>}
    </div>
  );
}

interface BlocksProps {
  readonly list: readonly Block[];
  readonly runs: readonly Run[];
  readonly around: TextSurroundings;
}

function Blocks({ list, runs, around }: BlocksProps) {
  return list.map((block) => {
    if (block.type === 'pre') return <Code key={block.start} block={block} runs={runs} around={around} />;
    if (block.type === 'quote') return <Quote key={block.start} block={block} runs={runs} around={around} />;
    return (
      <p key={block.start} dir="auto">
        <Inline branches={nest(around.text, runs, block.start, block.end)} around={around} />
      </p>
    );
  });
}

type Part<Type extends Block['type']> = Omit<BlocksProps, 'list'> & { readonly block: Extract<Block, { type: Type }> };

const QUOTE_LONG = 200;
const QUOTE_SHOWN = 150;

function Quote({ block, runs, around }: Part<'quote'>) {
  const { msg } = useMsg();
  const [open, setOpen] = useState(false);
  const inside = runs.filter((run) => run.entity !== block.run.entity);
  const long = block.run.type === 'expandable_blockquote' && block.end - block.start > QUOTE_LONG;
  const cut = around.text.lastIndexOf(' ', block.start + QUOTE_SHOWN);
  const end = long && !open ? Math.max(cut, block.start + QUOTE_SHOWN / 2) : block.end;
  return (
    <blockquote dir="auto">
      <Blocks
        list={end === block.end ? block.blocks : blocks(around.text, inside, block.start, end, 1)}
        runs={inside}
        around={around}
      />
      {end < block.end && <span aria-hidden="true">…</span>}
      {long && (
        <button type="button" className="link more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? msg('Show less') : msg('Show more')}
        </button>
      )}
    </blockquote>
  );
}

function Code({ block, runs, around }: Part<'pre'>) {
  const { msg } = useMsg();
  const [copied, setCopied] = useState(false);
  const code = around.text.slice(block.start, block.end);
  const inside = runs.filter((run) => run.type === 'hit');
  const copy = () => {
    void navigator.clipboard?.writeText(code).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <figure className="code" dir="ltr">
      <figcaption>
        <span>{block.run.entity?.language ?? ''}</span>
        <button type="button" onClick={copy} aria-label={copied ? msg('Copied') : msg('Copy code')}>
          <Icon name={copied ? 'done' : 'copy'} small />
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          <Inline branches={nest(around.text, inside, block.start, block.end)} around={around} />
        </code>
      </pre>
    </figure>
  );
}
