import { Avatar } from '../../../components/Avatar.tsx';
import { useServices } from '../../../context/services.ts';
import type { LineupRow } from '../../../data/model/types.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { channelPath, internalLink } from '../../../lib/links.ts';
import { RowStatus } from '../../lineup/RowContent.tsx';
import type { RowActions } from '../../lineup/row-actions.ts';

/** Available channels: the operator's channels that the reader does not follow. */
export function AvailableChannels({ rows, actions }: { readonly rows: readonly LineupRow[]; readonly actions: RowActions }) {
  const { msg } = useMsg();
  const { environment } = useServices();
  if (rows.length === 0) return null;
  return (
    <section className="available" aria-labelledby="available">
      <div className="section-head">
        <h2 id="available">{msg('Available from this operator')}</h2>
      </div>
      <ul className="rows">
        {rows.map((row) => (
          <li key={row.channel.id} className="row" data-available={row.channel.id}>
            <a className="row-main" {...internalLink(environment, channelPath(row.channel))}>
              <Avatar channel={row.channel} base={environment.baseUrl} size="s" />
              <span className="row-text">
                <bdi className="row-title">{row.channel.title}</bdi>
                <RowStatus row={row} />
              </span>
            </a>
            <span className="row-controls">
              <button
                type="button"
                className="button quiet"
                aria-label={msg(str`Follow ${row.channel.title}`)}
                onClick={() => actions.follow(row, true)}
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
