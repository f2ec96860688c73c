import { str, useMsg } from '../../i18n/i18n.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Empty } from '../../ui/States.tsx';
import type { PresetChoice } from '../presets/use-preset.ts';

/** Shown where the reader unfollowed every channel. */
export function AllOff() {
  const { msg } = useMsg();
  return (
    <Empty
      icon={<Icon name="dial" />}
      title={msg('You follow no channel')}
      text={msg('You unfollowed every channel. Follow one again to see it here.')}
    />
  );
}

/** Shown where the reader follows no channel of the preset, or it has none. */
export function PresetEmpty({ preset, onEdit }: { readonly preset: PresetChoice; readonly onEdit: () => void }) {
  const { msg } = useMsg();
  return (
    <Empty
      icon={<Icon name="dial" />}
      title={msg(str`You follow no channel of “${preset.on?.name ?? ''}”`)}
      text={msg('Add channels to this preset, or go back to all of them.')}
    >
      <button type="button" className="button" onClick={onEdit}>
        {msg('Edit the preset')}
      </button>
      <button type="button" className="button quiet" onClick={() => preset.choose(null)}>
        {msg('Show all channels')}
      </button>
    </Empty>
  );
}
