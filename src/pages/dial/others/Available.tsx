import type { LineupRow } from '../../../channels/types.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { channelPath, placeLink } from '../../../ui/addresses.ts';
import { useServices } from '../../services.ts';
import { RowState } from '../RowState.tsx';
import type { RowActs } from '../row-acts.ts';

/** The operator's channels that the reader does not follow. */
export function Available({ rows, acts }: { readonly rows: readonly LineupRow[]; readonly acts: RowActs }) {
  const { msg } = useMsg();
  const { site } = useServices();
  if (rows.length === 0) return null;
  return (
    <section className="available" aria-labelledby="available">
      <div className="section-head">
        <h2 id="available">{msg('Available from this operator')}</h2>
      </div>
      <ul className="rows">
        {rows.map((row) => (
          <li key={row.channel.id} className="row" data-available={row.channel.id}>
            <a className="row-main" {...placeLink(site, channelPath(row.channel))}>
              <Avatar channel={row.channel} base={site.base} size="s" />
              <span className="row-text">
                <bdi className="row-title">{row.channel.title}</bdi>
                <RowState row={row} />
              </span>
            </a>
            <span className="row-controls">
              <button
                type="button"
                className="button quiet"
                aria-label={msg(str`Follow ${row.channel.title}`)}
                onClick={() => acts.follow(row, true)}
              >
                {msg('Follow')}
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
