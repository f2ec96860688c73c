import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import type { SectionProps } from './section-props.ts';

/**
 * Target choice of a signed-in reader: devices, or messages of the bot. The bot may write only after Telegram has asked
 * the reader.
 */
export function TargetChoice({ data, store, run, announce }: SectionProps) {
  const { msg } = useMsg();
  const { host } = useServices();
  const choose = async (target: 'push' | 'bot') => {
    host.haptic('selection');
    if (target === 'push' || data.botWriteAccess || host.requestWriteAccess === undefined)
      return void run(() => store.changeSettings({ target }));
    if ((await host.requestWriteAccess()) === 'allowed') void run(store.useBot);
    else announce(msg('The bot was not allowed to write to you.'));
  };
  const options = [
    { value: 'push', label: msg('On my devices') },
    { value: 'bot', label: msg('By the Telegram bot') },
  ] as const;
  return (
    <section className="notify-section">
      <SegmentedControl
        legend={msg('Where')}
        options={options}
        chosen={data.settings.target}
        choose={(target) => void choose(target)}
      />
    </section>
  );
}
