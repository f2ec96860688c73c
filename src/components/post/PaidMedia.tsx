import { str, useMsg } from '../../i18n/i18n.ts';
import { LOCK } from '../icons/extra-icons.tsx';
import { COLUMNS, tileClass } from '../media/album-grid.ts';
import { starCount } from './format-price.ts';
import type { ExtraOf } from './types.ts';

/** Maximum number of items: that of an album, and that of paid media in Telegram. */
const MAX_TILES = 10;

/** Paid media: locked tiles with the files' ratios, the price, and a link to buy them. */
export function Paid({ extra, post, parts }: ExtraOf<'paid'>) {
  const m = useMsg();
  const price = starCount(m, extra.stars);
  const items = extra.items.slice(0, MAX_TILES);
  const { rows, tiles } = parts.mosaic(items.map(({ width = 4, height = 3 }) => width / height));
  return (
    <section className="paid">
      {items.length > 0 && (
        <div className="album">
          <svg viewBox={`0 0 ${COLUMNS} ${rows}`} width={COLUMNS} height={rows} aria-hidden="true" className="spacer" />
          <ul className="mosaic">
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: locked tiles have nothing else
              <li key={index} className={`tile locked ${tiles[index] === undefined ? '' : tileClass(tiles[index])}`}>
                {LOCK}
                <Kind type={item.type} />
                {item.duration !== undefined && <span className="badge corner">{parts.clockText(item.duration)}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="paid-line">
        <b className="price">{m.msg(str`Unlock for ${price}`)}</b>
        <parts.OriginalLink link={post.link} />
      </p>
    </section>
  );
}

function Kind({ type }: { readonly type: 'photo' | 'video' | 'other' }) {
  const { msg } = useMsg();
  const kinds = { photo: msg('Locked photo'), video: msg('Locked video'), other: msg('Locked file') };
  return <span className="hidden">{kinds[type]}</span>;
}
