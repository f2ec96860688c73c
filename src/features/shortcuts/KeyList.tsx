import { type Messages, useMsg } from '../../i18n/i18n.ts';

/** Keys with their meanings. */
export type Shortcuts = readonly (readonly [caps: readonly string[], meaning: string])[];

/** Returns the keys of the dial, for its help sheet and for the list next to it on a wide screen. */
function dialShortcuts({ msg, dir, number }: Messages): Shortcuts {
  const flip = dir === 'rtl' ? ['→', '←'] : ['←', '→'];
  return [
    [flip, msg('Previous channel, next channel')],
    [[`${number(0)}–${number(9)}`], msg('Go to a number')],
    [['Enter'], msg('Open channel')],
    [['L'], msg('Last viewed channel')],
    [['J', 'K'], msg('Next row, previous row')],
    [['Space'], msg('Follow or unfollow')],
    [['M'], msg('Mute or unmute')],
    [['Alt', '↑', '↓'], msg('Move in the line-up')],
    [['/'], msg('Search the line-up')],
    [['P'], msg('Next preset')],
    [['U'], msg('Undo')],
    [['?'], msg('Show these shortcuts')],
  ];
}

/** Key list with the meaning of each key; by default the keys of the dial. */
export function KeyList({ keys }: { readonly keys?: Shortcuts }) {
  const m = useMsg();
  return (
    <dl className="key-list">
      {(keys ?? dialShortcuts(m)).map(([caps, meaning]) => (
        <div key={caps.join()}>
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
