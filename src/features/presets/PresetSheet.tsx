import { type ReactNode, useState } from 'react';
import type { Preset } from '../../../contract/lineup.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Outline } from '../../components/icons/Icon.tsx';
import { SAVE_OUTLINE } from '../../components/icons/shared-paths.ts';
import { Sheet } from '../../components/Sheet.tsx';
import { unreadText } from '../../components/UnreadCount.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { SavedChannelsSheet } from '../saved-channels/SavedChannelsSheet.tsx';
import { channelCount, unreadOfPreset } from './preset-text.ts';
import type { ActivePreset } from './use-active-preset.ts';

interface PresetSheetProps {
  readonly preset: Pick<ActivePreset, 'all' | 'active'>;
  readonly followed: readonly LineupRow[];
  readonly onChoose: (preset: Preset | null) => void;
  /** Opens the editor of a preset, or of a new one (null). Absent if presets are edited elsewhere. */
  readonly onEdit?: (id: string | null) => void;
  readonly onClose: () => void;
}

/** Preset sheet: all channels, and the presets to switch to. */
export function PresetSheet({ preset, followed, onChoose, onEdit, onClose }: PresetSheetProps) {
  const m = useMsg();
  const { environment } = useServices();
  const [presetToSave, setPresetToSave] = useState<Preset | null>(null);
  const choose = (next: Preset | null) => {
    onClose();
    onChoose(next);
  };
  const countOf = ({ channelIds }: Preset) => followed.filter((row) => channelIds.includes(row.channel.id)).length;
  if (presetToSave !== null) return <SavedChannelsSheet target={presetToSave} onClose={onClose} />;
  return (
    <Sheet title={m.msg('Presets')} onClose={onClose}>
      {preset.all.length === 0 && (
        <p className="sheet-text">
          {m.msg('A preset is some of your channels under a name, such as Morning or Work. Switch between them with one key: P.')}
        </p>
      )}
      <ul className="presets">
        {preset.all.length > 0 && (
          <PresetItem
            name={m.msg('All channels')}
            count={followed.length}
            active={preset.active === null}
            choose={() => choose(null)}
          />
        )}
        {preset.all.map((item) => (
          <PresetItem
            key={item.id}
            name={item.name}
            count={countOf(item)}
            unread={unreadOfPreset(item, followed)}
            active={item === preset.active}
            choose={() => choose(item)}
          >
            {!environment.embedded && (
              <button
                type="button"
                className="icon-button"
                aria-label={m.msg(str`Save ${item.name} for offline`)}
                onClick={() => setPresetToSave(item)}
              >
                <Outline path={SAVE_OUTLINE} />
              </button>
            )}
            {onEdit !== undefined && (
              <button
                type="button"
                className="icon-button"
                aria-label={m.msg(str`Edit ${item.name}`)}
                onClick={() => onEdit(item.id)}
              >
                <AnyIcon name="settings" />
              </button>
            )}
          </PresetItem>
        ))}
      </ul>
      {onEdit !== undefined && (
        <button type="button" className="button quiet presets-new" onClick={() => onEdit(null)}>
          <AnyIcon name="plus" small />
          {m.msg('New preset')}
        </button>
      )}
    </Sheet>
  );
}

interface PresetItemProps {
  readonly name: string;
  readonly count: number;
  readonly unread?: number;
  readonly active: boolean;
  readonly choose: () => void;
  readonly children?: ReactNode;
}

function PresetItem({ name, count, unread = 0, active, choose, children }: PresetItemProps) {
  const m = useMsg();
  return (
    <li className={active ? 'on' : undefined}>
      <button type="button" className="menu-item" aria-current={active ? 'true' : undefined} onClick={choose}>
        <bdi>{name}</bdi>
        <small>
          {channelCount(m, count)}
          {unread > 0 && ` · ${unreadText(m, unread)}`}
        </small>
        {active && <AnyIcon name="done" small />}
      </button>
      {children}
    </li>
  );
}
