import { useId } from 'react';
import type { Block, Cell } from '../../../../contract/extra.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { type AroundBlocks, boxDirOf, dirOf } from './block-context.ts';
import { Line } from './InlineText.tsx';

interface TableProps {
  readonly block: Extract<Block, { type: 'table' }>;
  readonly around: AroundBlocks;
}

/** Table: as wide as its content. It scrolls inside its own box, so the page never scrolls sideways. */
export function Table({ block, around }: TableProps) {
  const { msg } = useMsg();
  const id = useId();
  const { rows, caption } = block;
  const name = caption === undefined ? { 'aria-label': msg('Table') } : { 'aria-labelledby': id };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark of the page
    <div className="table" role="group" tabIndex={0} {...name} dir={boxDirOf([block], around)}>
      <table>
        {caption !== undefined && (
          <caption id={id} dir={dirOf(caption.text, around)}>
            <Line words={caption} around={around} />
          </caption>
        )}
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never change places
            <tr key={row}>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells never change places
                <OneCell key={column} cell={cell} inHead={row === 0} around={around} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Maximum of `colspan` and `rowspan`: more than any real table has. A browser would render a thousand columns. */
const MAX_SPAN = 50;
const span = (count: number | undefined) => Math.min(MAX_SPAN, Math.max(1, Math.trunc(count ?? 1)));

interface OneCellProps {
  readonly cell: Cell;
  readonly inHead: boolean;
  readonly around: AroundBlocks;
}

function OneCell({ cell, inHead, around }: OneCellProps) {
  const shared = {
    colSpan: span(cell.colspan),
    rowSpan: span(cell.rowspan),
    className: cell.align,
    dir: dirOf(cell.text, around),
    children: <Line words={cell} around={around} />,
  };
  // A cell without text cannot be a header.
  if (cell.header !== true || cell.text === '') return <td {...shared} />;
  return <th scope={inHead ? 'col' : 'row'} {...shared} />;
}
