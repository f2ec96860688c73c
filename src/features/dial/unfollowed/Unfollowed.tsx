import { memo, useState } from 'react';
import { Icon } from '../../../components/icons/Icon.tsx';
import { Empty } from '../../../components/States.tsx';
import type { LineupRow } from '../../../data/model/types.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { useWords } from '../../../i18n/lazy-messages.ts';
import { Elsewhere } from '../../import-export/ImportExportSection.tsx';
import type { Exchanging } from '../../import-export/shared.ts';
import type { RowActs } from '../../lineup/row-actions.ts';
import { Available } from './AvailableChannels.tsx';
import { Removed } from './RemovedChannels.tsx';

interface OthersProps extends Pick<Exchanging, 'say'> {
  /** All rows of the line-up. */
  readonly all: Exchanging['rows'];
  /** Code of a shared line-up in the URL. */
  readonly code: string | undefined;
  /** Rows that are not followed. */
  readonly rows: readonly LineupRow[];
  readonly acts: RowActs;
  /** True if the search found nothing in any section. */
  readonly isNoMatch: boolean;
}

/** Time for which an unfollowed channel is listed as removed, s. */
const REMEMBERED = 30 * 24 * 3600;

/**
 * Unfollowed channels: sections below the line-up: the operator's other channels, import and export, and recently unfollowed
 * channels.
 */
export const Others = memo(function Others({ all, code, rows, acts, say, isNoMatch }: OthersProps) {
  const worded = useWords('arranging');
  // Read once: a row must not change its section while it is displayed.
  const [now] = useState(() => Date.now() / 1000);
  const isRemoved = ({ entry }: LineupRow) => entry.changed !== undefined && now - entry.changed / 1000 < REMEMBERED;
  if (!worded) return null;
  return (
    <div className="others">
      {isNoMatch && <NoMatch />}
      <Available rows={rows.filter((row) => !isRemoved(row) && row.channel.elsewhere !== true)} acts={acts} />
      <Elsewhere rows={all} change={acts.change} say={say} code={code} />
      <Removed rows={rows.filter((row) => isRemoved(row))} acts={acts} />
    </div>
  );
});

/** Empty state: no section has a match for the search. */
function NoMatch() {
  const { msg } = useMsg();
  return (
    <Empty
      icon={<Icon name="search" />}
      title={msg('No channel matches')}
      text={msg('It may be a site or a feed from elsewhere: add it by its address.')}
    >
      <button
        type="button"
        className="button quiet"
        onClick={({ currentTarget }) => currentTarget.closest('.others')?.querySelector<HTMLElement>('.add-feed input')?.focus()}
      >
        {msg('Add a feed by its address')}
      </button>
    </Empty>
  );
}
