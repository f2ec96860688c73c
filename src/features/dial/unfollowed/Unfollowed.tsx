import { memo, useState } from 'react';
import { Icon } from '../../../components/icons/Icon.tsx';
import { EmptyState } from '../../../components/States.tsx';
import type { LineupRow } from '../../../data/model/types.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { useAreaMessages } from '../../../i18n/lazy-messages.ts';
import { ImportExportSection } from '../../import-export/ImportExportSection.tsx';
import type { ImportExportProps } from '../../import-export/shared.ts';
import { MoreChannels } from '../../lineup/MoreChannels.tsx';
import type { RowActions } from '../../lineup/row-actions.ts';
import { AvailableChannels } from './AvailableChannels.tsx';
import { RemovedChannels } from './RemovedChannels.tsx';

interface UnfollowedProps extends Pick<ImportExportProps, 'announce'> {
  /** All rows of the line-up. */
  readonly allRows: ImportExportProps['rows'];
  /** Code of a shared line-up in the URL. */
  readonly sharedLineupCode: string | undefined;
  /** Rows that are not followed. */
  readonly rows: readonly LineupRow[];
  readonly actions: RowActions;
  /** Text of the search in the line-up; null for none. */
  readonly query: string | null;
  /** True if the search found nothing in any section. */
  readonly isNoMatch: boolean;
}

/** Time for which an unfollowed channel is listed as removed: 30 days. */
const REMOVED_RETENTION_SECONDS = 30 * 24 * 3600;

/**
 * Unfollowed channels: the sections below the line-up, with the operator's other channels, import and export, and the
 * recently unfollowed channels.
 */
export const Unfollowed = memo(function Unfollowed({
  allRows,
  sharedLineupCode,
  rows,
  actions,
  announce,
  query,
  isNoMatch,
}: UnfollowedProps) {
  const hasMessages = useAreaMessages('arranging');
  // Read once: a row must not change its section while it is displayed.
  const [now] = useState(() => Date.now() / 1000);
  const isRemoved = ({ entry }: LineupRow) =>
    entry.changed !== undefined && now - entry.changed / 1000 < REMOVED_RETENTION_SECONDS;
  if (!hasMessages) return null;
  return (
    <div className="others">
      {isNoMatch && <NoMatchingChannel />}
      <AvailableChannels rows={rows.filter((row) => !isRemoved(row) && row.channel.elsewhere !== true)} actions={actions} />
      <ImportExportSection rows={allRows} change={actions.change} announce={announce} code={sharedLineupCode} />
      <RemovedChannels rows={rows.filter((row) => isRemoved(row))} actions={actions} />
      <MoreChannels query={query?.trim() ?? ''} count={allRows.length} />
    </div>
  );
});

/** Empty state: no section has a match for the search. */
function NoMatchingChannel() {
  const { msg } = useMsg();
  return (
    <EmptyState
      icon={<Icon name="search" />}
      title={msg('No channels found')}
      text={msg('It may be a site or a feed from elsewhere: add it by its address.')}
    >
      <button
        type="button"
        className="button quiet"
        onClick={({ currentTarget }) => currentTarget.closest('.others')?.querySelector<HTMLElement>('.add-feed input')?.focus()}
      >
        {msg('Add a feed by its address')}
      </button>
    </EmptyState>
  );
}
