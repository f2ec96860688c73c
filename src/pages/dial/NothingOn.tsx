import { str, useMsg } from '../../i18n/i18n.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Empty } from '../../ui/States.tsx';
import type { PresetChoice } from '../presets/use-preset.ts';

/** Every channel is turned off. */
export function AllOff() {
  const { msg } = useMsg();
  return (
    <Empty
      icon={<Icon name="dial" />}
      title={msg('Nothing is on')}
      text={msg('You turned every channel off. Follow one again to see it here.')}
    />
  );
}

/** What the preset has is turned off, or it has nothing. */
export function PresetEmpty({ preset, onEdit }: { readonly preset: PresetChoice; readonly onEdit: () => void }) {
  const { msg } = useMsg();
  return (
    <Empty
      icon={<Icon name="dial" />}
      title={msg(str`Nothing of “${preset.on?.name ?? ''}” is on`)}
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
