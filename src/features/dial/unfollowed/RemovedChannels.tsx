import { useState } from 'react';
import { Avatar } from '../../../components/Avatar.tsx';
import { useServices } from '../../../context/services.ts';
import type { LineupRow } from '../../../data/model/types.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { channelPath, internalLink } from '../../../lib/links.ts';
import type { RowActions } from '../../lineup/row-actions.ts';

/**
 * Removed channels: the channels that the reader unfollowed in the last 30 days, the most recent first. A button
 * follows a channel again at its old position.
 */
export function RemovedChannels({ rows, actions }: { readonly rows: readonly LineupRow[]; readonly actions: RowActions }) {
  const m = useMsg();
  const { environment } = useServices();
  const [now] = useState(() => Date.now());
  if (rows.length === 0) return null;
  const latestFirst = [...rows].sort((a, b) => (b.entry.changed ?? 0) - (a.entry.changed ?? 0));
  return (
    <section className="available" aria-labelledby="removed">
      <div className="section-head">
        <h2 id="removed">{m.msg('Removed in the last 30 days')}</h2>
      </div>
      <ul className="rows">
        {latestFirst.map((row) => (
          <li key={row.channel.id} className="row" data-available={row.channel.id}>
            <a className="row-main" {...internalLink(environment, channelPath(row.channel))}>
              <Avatar channel={row.channel} base={environment.baseUrl} size="s" />
              <span className="row-text">
                <bdi className="row-title">{row.channel.title}</bdi>
                <span className="row-about">
                  {m.msg(str`Unfollowed: ${m.relativeDate((row.entry.changed ?? 0) / 1000, now)}`)}
                </span>
              </span>
            </a>
            <span className="row-controls">
              <button
                type="button"
                className="button quiet"
                aria-label={m.msg(str`Bring back ${row.channel.title}`)}
                onClick={() => actions.follow(row, true)}
              >
                {m.msg('Bring back')}
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
