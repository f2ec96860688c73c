import { useMsg } from '../i18n/i18n.ts';

/** The keys of the dial with what each does; shown in its help and beside it on a wide screen. */
export function KeyList() {
  const { msg, dir, number } = useMsg();
  const flip = dir === 'rtl' ? ['→', '←'] : ['←', '→'];
  const keys: readonly (readonly [caps: readonly string[], meaning: string])[] = [
    [flip, msg('Flip back, flip on')],
    [[`${number(0)}–${number(9)}`], msg('Go to a number')],
    [['Enter'], msg('Open channel')],
    [['L'], msg('Last channel')],
    [['J', 'K'], msg('Next row, previous row')],
    [['Space'], msg('Turn on or off')],
    [['M'], msg('Mute or unmute')],
    [['Alt', '↑', '↓'], msg('Move in the line-up')],
    [['U'], msg('Undo')],
    [['?'], msg('These keys')],
  ];
  return (
    <dl className="key-list">
      {keys.map(([caps, meaning]) => (
        <div key={meaning}>
          <dt>
            {caps.map((cap) => (
              <kbd key={cap}>{cap}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
