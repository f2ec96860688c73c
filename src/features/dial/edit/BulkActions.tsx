import { useState } from 'react';
import { AnyIcon, type AnyIconName } from '../../../components/icons/AnyIcon.tsx';
import { Sheet } from '../../../components/Sheet.tsx';
import { useServices } from '../../../context/services.ts';
import * as operations from '../../../data/lineup/operations.ts';
import type { LineupRow } from '../../../data/model/types.ts';
import { useSignalValue } from '../../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { MenuItem, MoveToNumber, muteTimes } from '../../lineup/RowMenu.tsx';
import type { RowActions } from '../../lineup/row-actions.ts';
import { mutedText } from '../../lineup/row-text.ts';
import { channelCount } from '../../presets/preset-text.ts';
import type { RowSelection } from './use-selection.ts';

interface BulkActionsProps {
  readonly rows: readonly LineupRow[];
  readonly followed: readonly LineupRow[];
  readonly selection: RowSelection;
  readonly actions: RowActions;
  readonly onPreset: (channelIds: readonly string[]) => void;
}

/** Bulk actions: the actions on all checked rows; each is one change with one undo. */
export function BulkActions({ rows, followed, selection, actions, onPreset }: BulkActionsProps) {
  const m = useMsg();
  const { msg } = m;
  const [open, setOpen] = useState<'mute' | 'move' | 'preset' | null>(null);
  const selected = selection.rows;
  const ids = selected.map((row) => row.channel.id);
  const channels = channelCount(m, ids.length);
  const isAllSelected = rows.length > 0 && selected.length === rows.length;
  const close = () => setOpen(null);
  const unfollow = () => {
    const nextFocusId = rows.find((row) => !ids.includes(row.channel.id))?.channel.id ?? null;
    actions.change(
      { action: 'unfollow', channelId: null },
      operations.setFollowed(ids, false),
      msg(str`${channels} unfollowed`),
      nextFocusId,
    );
  };
  const mute = (until: number | null) => {
    close();
    const text = until === null ? msg(str`${channels}: unmuted`) : `${channels}: ${mutedText(m, until, Date.now())}`;
    actions.change({ action: until === null ? 'unmute' : 'mute', channelId: null }, operations.muteChannels(ids, until), text);
  };
  const move = (number: number) => {
    close();
    const order = followed.map((row) => row.channel.id);
    const text = msg(str`${channels} moved to ${m.number(number)}`);
    actions.change({ action: 'move', channelId: null }, operations.moveChannels(order, ids, number), text);
  };
  const isEmpty = ids.length === 0;
  return (
    <div className="bulk" role="toolbar" aria-label={msg('Selected channels')}>
      <label className="bulk-all">
        <input
          type="checkbox"
          checked={isAllSelected}
          disabled={rows.length === 0}
          ref={(checkbox) => {
            if (checkbox !== null) checkbox.indeterminate = !isAllSelected && !isEmpty;
          }}
          onChange={() => selection.set(isAllSelected ? [] : rows.map((row) => row.channel.id))}
        />
        {isEmpty ? msg('Select all') : msg(str`${m.number(ids.length)} selected`)}
      </label>
      <BulkButton icon="close" label={msg('Unfollow')} disabled={isEmpty} onPress={unfollow} />
      <BulkButton icon="mute" label={msg('Mute')} disabled={isEmpty} onPress={() => setOpen('mute')} />
      <BulkButton icon="bell" label={msg('Unmute')} disabled={!selected.some((row) => row.muted)} onPress={() => mute(null)} />
      <BulkButton icon="up" label={msg('Move')} disabled={isEmpty} onPress={() => setOpen('move')} />
      <BulkButton icon="dial" label={msg('Add to a preset')} disabled={isEmpty} onPress={() => setOpen('preset')} />
      {open === 'mute' && (
        <Sheet title={channels} onClose={close}>
          <div className="menu">
            {muteTimes(m).map(({ label, until }) => (
              <MenuItem key={label} icon="mute" label={label} onSelect={() => mute(until())} />
            ))}
          </div>
        </Sheet>
      )}
      {open === 'move' && (
        <Sheet title={channels} onClose={close}>
          <div className="menu">
            <MenuItem icon="up" label={msg('Move to the top')} onSelect={() => move(1)} />
            <MoveToNumber number={selected[0]?.number ?? 1} total={followed.length - ids.length + 1} onMove={move} />
          </div>
        </Sheet>
      )}
      {open === 'preset' && (
        <AddToPreset
          {...{ ids, channels, actions }}
          onClose={close}
          onNew={() => {
            close();
            onPreset(ids);
          }}
        />
      )}
    </div>
  );
}

interface BulkButtonProps {
  readonly icon: AnyIconName;
  readonly label: string;
  readonly disabled: boolean;
  readonly onPress: () => void;
}

/**
 * Button of a bulk action. It stays mounted and focusable while disabled, so that the layout and the focus do not
 * change.
 */
function BulkButton({ icon, label, disabled, onPress }: BulkButtonProps) {
  return (
    <button
      type="button"
      className="bulk-button"
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onPress();
      }}
    >
      <AnyIcon name={icon} />
      <span>{label}</span>
    </button>
  );
}

interface AddToPresetProps {
  readonly ids: readonly string[];
  /** Count of the channels as text, such as "3 channels". */
  readonly channels: string;
  readonly actions: RowActions;
  readonly onNew: () => void;
  readonly onClose: () => void;
}

function AddToPreset({ ids, channels, actions, onNew, onClose }: AddToPresetProps) {
  const { msg } = useMsg();
  const presets = useSignalValue(useServices().dataClient.presets);
  return (
    <Sheet title={channels} onClose={onClose}>
      <div className="menu">
        {presets.map((preset) => (
          <MenuItem
            key={preset.id}
            icon="dial"
            label={preset.name}
            onSelect={() => {
              onClose();
              const { id, name } = preset;
              const channelIds = [...new Set([...preset.channelIds, ...ids])];
              const text = msg(str`${channels} added to ${name}`);
              actions.change({ action: 'preset', channelId: null }, operations.savePreset({ id, name, channelIds }), text);
            }}
          />
        ))}
        <MenuItem icon="plus" label={msg('New preset')} onSelect={onNew} />
      </div>
    </Sheet>
  );
}
