import { useId } from 'react';
import type { ContentBlock, RichTableCell } from '../../../../contract/extra.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { type BlockContext, boxDirection, textDirection } from './block-context.ts';
import { InlineText } from './InlineText.tsx';

interface TableProps {
  readonly block: Extract<ContentBlock, { type: 'table' }>;
  readonly context: BlockContext;
}

/** Table: it is as wide as its content and scrolls inside its own box, so that the page never scrolls sideways. */
export function Table({ block, context }: TableProps) {
  const { msg } = useMsg();
  const id = useId();
  const { rows, caption } = block;
  const name = caption === undefined ? { 'aria-label': msg('Table') } : { 'aria-labelledby': id };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark of the page
    <div className="table" role="group" tabIndex={0} {...name} dir={boxDirection([block], context)}>
      <table>
        {caption !== undefined && (
          <caption id={id} dir={textDirection(caption.text, context)}>
            <InlineText content={caption} context={context} />
          </caption>
        )}
        <tbody>
          {rows.map((cells, rowIndex) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have a fixed order
            <tr key={rowIndex}>
              {cells.map((cell, columnIndex) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have a fixed order
                <TableCell key={columnIndex} cell={cell} isInFirstRow={rowIndex === 0} context={context} />
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
const clampSpan = (count: number | undefined) => Math.min(MAX_SPAN, Math.max(1, Math.trunc(count ?? 1)));

interface TableCellProps {
  readonly cell: RichTableCell;
  readonly isInFirstRow: boolean;
  readonly context: BlockContext;
}

function TableCell({ cell, isInFirstRow, context }: TableCellProps) {
  const sharedProps = {
    colSpan: clampSpan(cell.colspan),
    rowSpan: clampSpan(cell.rowspan),
    className: cell.align,
    dir: textDirection(cell.text, context),
    children: <InlineText content={cell} context={context} />,
  };
  // A cell without text cannot be a header.
  if (cell.header !== true || cell.text === '') return <td {...sharedProps} />;
  return <th scope={isInFirstRow ? 'col' : 'row'} {...sharedProps} />;
}
