import { type Messages, useMsg } from '../../i18n/i18n.ts';

/** Keyboard shortcuts: the labels on the keys, and what the keys do. */
export type Shortcuts = readonly (readonly [keyCaps: readonly string[], meaning: string])[];

/** Returns the keys of the dial, for its help sheet and for the list next to it on a wide screen. */
function dialShortcuts({ msg, dir, number }: Messages): Shortcuts {
  const arrows = dir === 'rtl' ? ['→', '←'] : ['←', '→'];
  return [
    [arrows, msg('Previous channel, next channel')],
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
      {(keys ?? dialShortcuts(m)).map(([keyCaps, meaning]) => (
        <div key={keyCaps.join()}>
          <dt>
            {keyCaps.map((keyCap) => (
              <kbd key={keyCap}>{keyCap}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
