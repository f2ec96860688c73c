import { type FormEvent, useId, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { createPresetId, removePreset, savePreset } from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { RowActions } from '../lineup/row-actions.ts';
import { presetText } from './preset-text.ts';
import type { ActivePreset } from './use-active-preset.ts';

interface PresetEditorProps {
  readonly preset: ActivePreset;
  /** Id of the preset; null creates a new one. */
  readonly id: string | null;
  /** Ids of channels that are added to the preset's channels. */
  readonly added: readonly string[];
  readonly rows: readonly LineupRow[];
  readonly change: RowActions['change'];
  readonly onClose: () => void;
}

const MAX_NAME_LENGTH = 64;

/** Preset editor: edits the name and the channels of a preset; nothing is stored before Save. */
export function PresetEditor({ preset, id, added, rows, change, onClose }: PresetEditorProps) {
  const m = useMsg();
  const { msg } = m;
  const { environment } = useServices();
  const existing = preset.all.find((candidate) => candidate.id === id);
  const [name, setName] = useState(existing?.name ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set([...(existing?.channelIds ?? []), ...added]));
  const fieldId = useId();
  const [initialChosen] = useState(chosen);
  const isChanged = chosen.size !== initialChosen.size || [...chosen].some((channelId) => !initialChosen.has(channelId));
  useUnsavedWarning(isChanged || name.trim() !== (existing?.name ?? ''));
  const save = (event: FormEvent) => {
    event.preventDefault();
    const channelIds = [...chosen];
    const saved = { id: existing?.id ?? createPresetId(), name: name.trim(), channelIds };
    change({ action: 'preset', channelId: null }, savePreset(saved), presetText(m, saved, rows));
    if (existing === undefined) preset.choose(saved.id);
    onClose();
  };
  const remove = () => {
    if (existing === undefined) return;
    change({ action: 'preset', channelId: null }, removePreset(existing.id), msg(str`Preset ${existing.name} is removed`));
    onClose();
  };
  const toggle = (channelId: string) => {
    const next = new Set(chosen);
    if (!next.delete(channelId)) next.add(channelId);
    setChosen(next);
  };
  return (
    <Sheet title={existing === undefined ? msg('New preset') : msg('Edit the preset')} onClose={onClose}>
      <form className="preset-editor" onSubmit={save}>
        <label htmlFor={fieldId}>{msg('Name')}</label>
        <input
          id={fieldId}
          dir="auto"
          autoComplete="off"
          required
          maxLength={MAX_NAME_LENGTH}
          placeholder={msg('Morning')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <fieldset>
          <legend>{msg('Channels')}</legend>
          {rows.map(({ channel, number }) => (
            <label key={channel.id} className="menu-item">
              <input type="checkbox" checked={chosen.has(channel.id)} onChange={() => toggle(channel.id)} />
              <span className="row-number">{number !== null && m.number(number)}</span>
              <Avatar channel={channel} base={environment.baseUrl} size="s" />
              <bdi>{channel.title}</bdi>
            </label>
          ))}
        </fieldset>
        <div className="preset-actions">
          {existing !== undefined && (
            <button type="button" className="button plain" onClick={remove}>
              {msg('Remove')}
            </button>
          )}
          <button type="submit" className="button" disabled={name.trim() === ''}>
            {msg('Save')}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
