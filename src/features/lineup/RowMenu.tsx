import { useId } from 'react';
import { AnyIcon, type AnyIconName } from '../../components/icons/AnyIcon.tsx';
import { type Anchor, Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { channelPath, internalLink } from '../../lib/links.ts';
import type { RowActions } from './row-actions.ts';
import { tomorrowMorning } from './row-text.ts';

interface RowMenuProps {
  readonly row: LineupRow;
  readonly total: number;
  readonly anchor: Anchor;
  readonly actions: RowActions;
  readonly onClose: () => void;
  /** Opens the sheet of the channel's notifications. */
  readonly onNotifications: () => void;
  /** Opens the muted words sheet. */
  readonly onMutedWords: () => void;
}

/** Row menu: actions on one channel of the line-up: mute, move, unfollow, open. */
export function RowMenu({ row, total, anchor, actions, onClose, onNotifications, onMutedWords }: RowMenuProps) {
  const m = useMsg();
  const { msg } = m;
  const { environment } = useServices();
  const closeAnd = (action: () => void) => () => {
    onClose();
    action();
  };
  const number = row.number ?? 1;
  return (
    <Sheet title={row.channel.title} anchor={anchor} onClose={onClose}>
      <div className="menu">
        <MenuItem icon="bell" label={msg('Notifications')} onSelect={onNotifications} />
        <hr />
        {row.muted ? (
          <MenuItem icon="bell" label={msg('Unmute')} onSelect={closeAnd(() => actions.mute(row, null))} />
        ) : (
          muteTimes(m).map(({ label, until }) => (
            <MenuItem key={label} icon="mute" label={label} onSelect={closeAnd(() => actions.mute(row, until()))} />
          ))
        )}
        <MenuItem icon="hide" label={msg('Mute by words…')} onSelect={onMutedWords} />
        <hr />
        {number > 1 && (
          <MenuItem icon="up" label={msg('Move up')} onSelect={closeAnd(() => actions.move(row.channel.id, number - 1))} />
        )}
        {number < total && (
          <MenuItem icon="down" label={msg('Move down')} onSelect={closeAnd(() => actions.move(row.channel.id, number + 1))} />
        )}
        {total > 1 && (
          <MoveToNumber number={number} total={total} onMove={(to) => closeAnd(() => actions.move(row.channel.id, to))()} />
        )}
        <hr />
        <a className="menu-item" {...internalLink(environment, channelPath(row.channel))}>
          <AnyIcon name="next" />
          {msg('Open channel')}
        </a>
        <MenuItem icon="close" label={msg('Unfollow')} onSelect={closeAnd(() => actions.follow(row, false))} />
      </div>
    </Sheet>
  );
}

interface MenuItemProps {
  readonly icon: AnyIconName;
  readonly label: string;
  readonly onSelect: () => void;
}

/** Menu item: a button with an icon and a label. */
export function MenuItem({ icon, label, onSelect }: MenuItemProps) {
  return (
    <button type="button" className="menu-item" onClick={onSelect}>
      <AnyIcon name={icon} />
      {label}
    </button>
  );
}

interface MoveToNumberProps {
  readonly number: number;
  readonly total: number;
  readonly onMove: (to: number) => void;
}

/** Moves the row to a number that the reader types. */
export function MoveToNumber({ number: currentNumber, total, onMove }: MoveToNumberProps) {
  const { msg, number } = useMsg();
  const id = useId();
  return (
    <form
      className="menu-item menu-number"
      onSubmit={(event) => {
        event.preventDefault();
        onMove(Number(new FormData(event.currentTarget).get('to')));
      }}
    >
      <AnyIcon name="dial" />
      <label htmlFor={id}>{msg('To number')}</label>
      <input id={id} type="number" inputMode="numeric" min={1} max={total} required name="to" defaultValue={currentNumber} />
      <span className="menu-of">{msg(str`of ${number(total)}`)}</span>
      <button type="submit" className="button">
        {msg('Move')}
      </button>
    </form>
  );
}

const HOUR_SECONDS = 3600;

/** Returns the mute durations; `until` has the format of `muteChannels`. */
export const muteTimes = ({ msg }: Messages): readonly { readonly label: string; until(): number }[] => [
  { label: msg('Mute for 1 hour'), until: () => Math.floor(Date.now() / 1000) + HOUR_SECONDS },
  { label: msg('Mute until tomorrow'), until: () => tomorrowMorning(Date.now()) },
  { label: msg('Mute until I change it'), until: () => 0 },
];
