import { useId } from 'react';
import { AnyIcon, type AnyIconName } from '../../components/icons/AnyIcon.tsx';
import { type Anchor, Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { channelPath, placeLink } from '../../lib/links.ts';
import type { RowActs } from './row-actions.ts';
import { tomorrowMorning } from './row-text.ts';

interface RowMenuProps {
  readonly row: LineupRow;
  readonly total: number;
  readonly anchor: Anchor;
  readonly acts: RowActs;
  readonly onClose: () => void;
  /** Opens the muted words sheet. */
  readonly onWords: () => void;
}

/** Row menu: actions on one channel of the line-up: mute, move, unfollow, open. */
export function RowMenu({ row, total, anchor, acts, onClose, onWords }: RowMenuProps) {
  const m = useMsg();
  const { msg } = m;
  const { site } = useServices();
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  const number = row.number ?? 1;
  return (
    <Sheet title={row.channel.title} anchor={anchor} onClose={onClose}>
      <div className="menu">
        {row.muted ? (
          <MenuItem icon="bell" label={msg('Unmute')} act={then(() => acts.mute(row, null))} />
        ) : (
          muteTimes(m).map(({ label, until }) => (
            <MenuItem key={label} icon="mute" label={label} act={then(() => acts.mute(row, until()))} />
          ))
        )}
        <MenuItem icon="hide" label={msg('Mute by words…')} act={onWords} />
        <hr />
        {number > 1 && <MenuItem icon="up" label={msg('Move up')} act={then(() => acts.move(row.channel.id, number - 1))} />}
        {number < total && (
          <MenuItem icon="down" label={msg('Move down')} act={then(() => acts.move(row.channel.id, number + 1))} />
        )}
        {total > 1 && <ToNumber number={number} total={total} go={(to) => then(() => acts.move(row.channel.id, to))()} />}
        <hr />
        <a className="menu-item" {...placeLink(site, channelPath(row.channel))}>
          <AnyIcon name="next" />
          {msg('Open channel')}
        </a>
        <MenuItem icon="close" label={msg('Unfollow')} act={then(() => acts.follow(row, false))} />
      </div>
    </Sheet>
  );
}

interface MenuItemProps {
  readonly icon: AnyIconName;
  readonly label: string;
  readonly act: () => void;
}

/** Menu entry. */
export function MenuItem({ icon, label, act }: MenuItemProps) {
  return (
    <button type="button" className="menu-item" onClick={act}>
      <AnyIcon name={icon} />
      {label}
    </button>
  );
}

interface ToNumberProps {
  readonly number: number;
  readonly total: number;
  readonly go: (to: number) => void;
}

/** Moves the row to a number that the reader types. */
export function ToNumber({ number: now, total, go }: ToNumberProps) {
  const { msg, number } = useMsg();
  const id = useId();
  return (
    <form
      className="menu-item menu-number"
      onSubmit={(event) => {
        event.preventDefault();
        go(Number(new FormData(event.currentTarget).get('to')));
      }}
    >
      <AnyIcon name="dial" />
      <label htmlFor={id}>{msg('To number')}</label>
      <input id={id} type="number" inputMode="numeric" min={1} max={total} required name="to" defaultValue={now} />
      <span className="menu-of">{msg(str`of ${number(total)}`)}</span>
      <button type="submit" className="button">
        {msg('Move')}
      </button>
    </form>
  );
}

const HOUR = 3600;

/** Returns the mute durations; `until` has the format of arrange.mute. */
export const muteTimes = ({ msg }: Messages): readonly { readonly label: string; until(): number }[] => [
  { label: msg('Mute for 1 hour'), until: () => Math.floor(Date.now() / 1000) + HOUR },
  { label: msg('Mute until tomorrow'), until: () => tomorrowMorning(Date.now()) },
  { label: msg('Mute until I change it'), until: () => 0 },
];
