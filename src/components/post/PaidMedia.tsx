import { str, useMsg } from '../../i18n/i18n.ts';
import { LOCK_ICON } from '../icons/extra-icons.tsx';
import { GRID_COLUMNS, tileClass } from '../media/album-grid.ts';
import { starCount } from './format-price.ts';
import type { ExtraPropsOf } from './types.ts';

/** Maximum number of items in an album, and of paid media in Telegram. */
const MAX_TILES = 10;

/** Paid media: renders locked tiles with the files' aspect ratios, the price, and a link to buy them. */
export function PaidMedia({ extra, post, commonChunk }: ExtraPropsOf<'paid'>) {
  const messages = useMsg();
  const price = starCount(messages, extra.stars);
  const items = extra.items.slice(0, MAX_TILES);
  const { rows, tiles } = commonChunk.layoutAlbum(items.map(({ width = 4, height = 3 }) => width / height));
  return (
    <section className="paid">
      {items.length > 0 && (
        <div className="album">
          <svg viewBox={`0 0 ${GRID_COLUMNS} ${rows}`} width={GRID_COLUMNS} height={rows} aria-hidden="true" className="spacer" />
          <ul className="mosaic">
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: locked tiles have no other key
              <li key={index} className={`tile locked ${tiles[index] === undefined ? '' : tileClass(tiles[index])}`}>
                {LOCK_ICON}
                <LockedFileLabel type={item.type} />
                {item.duration !== undefined && <span className="badge corner">{commonChunk.clockText(item.duration)}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="paid-line">
        <b className="price">{messages.msg(str`Unlock for ${price}`)}</b>
        <commonChunk.OriginalLink link={post.link} />
      </p>
    </section>
  );
}

function LockedFileLabel({ type }: { readonly type: 'photo' | 'video' | 'other' }) {
  const { msg } = useMsg();
  const kinds = { photo: msg('Locked photo'), video: msg('Locked video'), other: msg('Locked file') };
  return <span className="hidden">{kinds[type]}</span>;
}
