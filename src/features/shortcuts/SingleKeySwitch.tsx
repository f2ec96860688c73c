import { useMsg } from '../../i18n/i18n.ts';

interface SingleKeySwitchProps {
  readonly on: boolean;
  readonly setOn: (on: boolean) => void;
}

/** Single-key switch: turns the single-character keys on and off (WCAG 2.1.4). */
export function SingleKeySwitch({ on, setOn }: SingleKeySwitchProps) {
  const { msg } = useMsg();
  return (
    <label className="help-switch">
      <span>
        {msg('Single-key shortcuts')}
        <small>{msg('Digits and letters. Arrows, Page Up and Page Down always work.')}</small>
      </span>
      <input
        type="checkbox"
        role="switch"
        className="switch"
        checked={on}
        aria-checked={on}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </label>
  );
}
