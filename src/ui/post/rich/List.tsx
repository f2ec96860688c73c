import type { ListItem } from '../../../../contract/extra.ts';
import { Tick } from '../Checklist.tsx';
import { type BlocksProps, boxDirOf } from './around.ts';
import { Blocks } from './Blocks.tsx';

interface ListProps extends Omit<BlocksProps, 'blocks'> {
  readonly items: readonly ListItem[];
}

/** A list with the source's own bullets, numbers or boxes; it runs as its first words do. */
export function List({ items, around, depth }: ListProps) {
  return (
    <ul className="list" dir={boxDirOf([{ type: 'list', items }], around)}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
        <li key={index}>
          {item.checked === undefined ? <Label label={item.label} /> : <Tick done={item.checked} />}
          <div>
            <Blocks blocks={item.blocks} around={around} depth={depth + 1} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A number says something, a bullet does not. */
const Label = ({ label }: { readonly label: string }) => (
  <span className="label" aria-hidden={!/[\p{L}\p{N}]/u.test(label)}>
    {label === '' ? '•' : label}
  </span>
);
