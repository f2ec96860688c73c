import type { ComponentType, ReactNode } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { LineupItem } from '../lineup/LineupItem.tsx';
import { LineupList, type RowRetention } from '../lineup/LineupList.tsx';
import type { RowActions } from '../lineup/row-actions.ts';
import type { ActivePreset } from '../presets/use-active-preset.ts';
import type { EditListProps } from './edit/EditList.tsx';
import type { UnsyncedRows } from './use-unsynced-rows.ts';

interface LineupSectionProps {
  /** Rows that the list shows. */
  readonly rows: readonly LineupRow[];
  /** All followed rows. */
  readonly followed: readonly LineupRow[];
  readonly current: LineupRow | null;
  readonly preset: ActivePreset;
  readonly unsaved: UnsyncedRows;
  readonly actions: RowActions;
  readonly retention: RowRetention;
  /** Component of the edit mode; undefined outside the edit mode, or while it loads. */
  readonly Edit: ComponentType<EditListProps> | undefined;
  readonly editing: boolean;
  readonly setEditing: (editing: boolean) => void;
  readonly onHelp: () => void;
  readonly onPreset: EditListProps['onPreset'];
  /** Notices and the search, between the heading and the rows. */
  readonly children: ReactNode;
}

/** Line-up section: the numbered rows of the line-up, or of the active preset, under their heading. */
export function LineupSection(props: LineupSectionProps) {
  const { rows, followed, current, preset, unsaved, actions, retention, Edit, editing, setEditing, onHelp, onPreset, children } =
    props;
  const { msg } = useMsg();
  const { environment } = useServices();
  const moveOnto = (id: string, onto: LineupRow) => actions.move(id, onto.number ?? 0);
  return (
    <section aria-labelledby="my-line-up">
      <div className="section-head">
        <h2 id="my-line-up">
          {msg('My line-up')}
          {preset.active !== null && (
            <>
              {' · '}
              <bdi>{preset.active.name}</bdi>
            </>
          )}
        </h2>
        {!environment.embedded && (
          <button type="button" className="icon-button" aria-label={msg('Dial shortcuts')} onClick={onHelp}>
            <AnyIcon name="keys" />
          </button>
        )}
        {!environment.embedded && followed.length > 0 && (
          <button type="button" className="link section-edit" aria-pressed={editing} onClick={() => setEditing(!editing)}>
            {editing ? msg('Done') : msg('Edit')}
          </button>
        )}
      </div>
      {children}
      {Edit !== undefined ? (
        <Edit {...{ rows, followed, current, unsaved, actions, retention, onPreset }} />
      ) : (
        <LineupList rows={rows} onDrop={moveOnto} {...retention}>
          {(row, position) => (
            <LineupItem
              key={row.channel.id}
              {...position}
              row={row}
              isActive={row === current}
              unsaved={unsaved.failed && unsaved.ids.has(row.channel.id)}
              actions={actions}
            />
          )}
        </LineupList>
      )}
    </section>
  );
}
