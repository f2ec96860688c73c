import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { type Appearance, type Scheme, TEXT_SIZES } from '../../theme/appearance.ts';
import styles from './appearance.css';

interface AppearanceSheetProps {
  readonly appearance: Appearance;
  readonly onClose: () => void;
}

/** Appearance sheet: theme, text size and list content that the reader chooses for this device. */
export function AppearanceSheet({ appearance, onClose }: AppearanceSheetProps) {
  const { msg } = useMsg();
  const style = useStylesheet(styles);
  const hasMessages = useAreaMessages('appearance');
  return (
    <div ref={style}>
      {hasMessages && (
        <Sheet title={msg('Appearance')} onClose={onClose}>
          <ThemeChoice {...appearance} />
          <TextSizeChoice {...appearance} />
          <ListChoice {...appearance} />
          <p className="appearance-note">{msg('Saved on this device.')}</p>
        </Sheet>
      )}
    </div>
  );
}

function ThemeChoice({ theme }: Pick<Appearance, 'theme'>) {
  const { msg } = useMsg();
  const { host } = useServices();
  const choose = (value: Scheme | 'auto') => {
    host.haptic('selection');
    theme.set(value === 'auto' ? null : value);
  };
  const options = [
    { value: 'auto', label: host.kind === 'telegram' ? msg('As in Telegram') : msg('As the device') },
    { value: 'light', label: msg('Light') },
    { value: 'dark', label: msg('Dark') },
  ] as const;
  return <SegmentedControl legend={msg('Theme')} options={options} chosen={useSignalValue(theme) ?? 'auto'} choose={choose} />;
}

/** Text size that applies if the step is unknown, percent. */
const DEFAULT_TEXT_SIZE = 100;

const sizeNames = ({ msg }: Messages): readonly string[] => [
  msg('Small'),
  msg('Normal'),
  msg('Large'),
  msg('Larger'),
  msg('Largest'),
];

function TextSizeChoice({ textSize }: Pick<Appearance, 'textSize'>) {
  const messages = useMsg();
  const { host } = useServices();
  const step = TEXT_SIZES.indexOf(useSignalValue(textSize));
  const choose = (next: number) => {
    host.haptic('selection');
    textSize.set(TEXT_SIZES[next] ?? DEFAULT_TEXT_SIZE);
  };
  return (
    <label className="text-size">
      <span className="text-size-name">{messages.msg('Text size')}</span>
      <span className="text-size-scale">
        <span aria-hidden="true">
          {messages.msg('A', { desc: 'a small and a large letter at the ends of the scale of text sizes' })}
        </span>
        <input
          type="range"
          min={0}
          max={TEXT_SIZES.length - 1}
          step={1}
          value={step}
          aria-valuetext={sizeNames(messages)[step]}
          onChange={({ currentTarget }) => choose(currentTarget.valueAsNumber)}
        />
        <span aria-hidden="true">
          {messages.msg('A', { desc: 'a small and a large letter at the ends of the scale of text sizes' })}
        </span>
      </span>
    </label>
  );
}

function ListChoice({ listView }: Pick<Appearance, 'listView'>) {
  const { msg } = useMsg();
  const { host } = useServices();
  const choose = (value: 'posts' | 'titles') => {
    host.haptic('selection');
    listView.set(value);
  };
  const options = [
    { value: 'posts', label: msg('Whole posts') },
    { value: 'titles', label: msg('Titles only') },
  ] as const;
  return (
    <SegmentedControl
      legend={msg('Feed and channels show')}
      options={options}
      chosen={useSignalValue(listView)}
      choose={choose}
    />
  );
}
