import { type FormEvent, useMemo, useState } from 'react';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { parseWebAddress } from './model/channel-address.ts';
import type { OpmlOutline, Subscriptions } from './model/opml-parse.ts';
import { findRowByAddress, focusOnMount } from './shared.ts';

interface ChannelPickerProps {
  readonly file: Subscriptions;
  readonly rows: readonly LineupRow[];
  readonly start: (outlines: readonly OpmlOutline[], folders: readonly string[]) => void;
}

/** Maximum number of presets, including those that folders become; a reader would not use more. */
const MAX_PRESETS = 50;

/** An outline of the file, and the row of the line-up that it refers to; null for an unknown channel. */
interface ListedOutline {
  readonly outline: OpmlOutline;
  readonly row: LineupRow | null;
}

/** Channel picker of an import: shows the channels in a file with checkboxes, and the folders that become presets. */
export function ChannelPicker({ file, rows, start }: ChannelPickerProps) {
  const m = useMsg();
  const presets = useSignalValue(useServices().dataClient.presets);
  // Computed once when the sheet opens: the outlines of the file, and the line-up at that time.
  const [listed] = useState(() => file.outlines.map((outline) => ({ outline, row: findRowByAddress(outline.address, rows) })));
  const selectable = useMemo(() => listed.filter(isSelectable).map(({ outline }) => outline), [listed]);
  const [selected, setSelected] = useState<ReadonlySet<OpmlOutline>>(() => new Set(selectable));
  const offeredFolders = file.folders.slice(0, Math.max(0, MAX_PRESETS - presets.length));
  const [folders, setFolders] = useState<ReadonlySet<string>>(() => new Set(offeredFolders));
  const alreadyAddedCount = listed.filter(({ row }) => isInLineup(row)).length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Channels that are already in the line-up are included for their folders.
    const chosen = listed.filter(({ outline, row }) => selected.has(outline) || isInLineup(row)).map(({ outline }) => outline);
    start(chosen, [...folders]);
  };
  const isEmpty = selected.size === 0 && (alreadyAddedCount === 0 || folders.size === 0);
  return (
    <form className="exchange" onSubmit={submit}>
      <p className="sheet-note" tabIndex={-1} ref={focusOnMount}>
        {m.plural(listed.length, m.msg('one: # channel is in it. | other: # channels are in it.'))}
        {alreadyAddedCount > 0 &&
          ` ${m.plural(alreadyAddedCount, m.msg('one: You have # already. | other: You have # already.'))}`}
        {file.droppedCount > 0 &&
          ` ${m.plural(file.droppedCount, m.msg('one: # more is left out: a line-up holds 1000. | other: # more are left out: a line-up holds 1000.'))}`}
      </p>
      {offeredFolders.length > 0 && <FolderChoice offered={offeredFolders} chosen={folders} onChange={setFolders} />}
      <ChannelChoice listed={listed} selectable={selectable} selected={selected} onChange={setSelected} />
      <div className="sheet-actions">
        <button type="submit" className="button" disabled={isEmpty}>
          {m.plural(selected.size, m.msg('=0: Import the presets | one: Import # channel | other: Import # channels'))}
        </button>
      </div>
    </form>
  );
}

interface FolderChoiceProps {
  readonly offered: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

function FolderChoice({ offered, chosen, onChange }: FolderChoiceProps) {
  const { msg } = useMsg();
  return (
    <fieldset className="pick">
      <legend>{msg('Folders that become presets')}</legend>
      {offered.map((name) => (
        <label key={name} className="pick-row">
          <input type="checkbox" checked={chosen.has(name)} onChange={() => onChange(withToggled(chosen, name))} />
          <span>
            <bdi>{name}</bdi>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface ChannelChoiceProps {
  readonly listed: readonly ListedOutline[];
  readonly selectable: readonly OpmlOutline[];
  readonly selected: ReadonlySet<OpmlOutline>;
  readonly onChange: (selected: ReadonlySet<OpmlOutline>) => void;
}

function ChannelChoice({ listed, selectable, selected, onChange }: ChannelChoiceProps) {
  const { msg } = useMsg();
  const areAllSelected = selected.size === selectable.length;
  return (
    <fieldset className="pick">
      <legend>{msg('Channels')}</legend>
      {selectable.length > 1 && (
        <label className="pick-row pick-all">
          <input type="checkbox" checked={areAllSelected} onChange={() => onChange(new Set(areAllSelected ? [] : selectable))} />
          <span>{msg('All of them')}</span>
        </label>
      )}
      {listed.map(({ outline, row }) => {
        const canSelect = selectable.includes(outline);
        return (
          <label key={outline.address} className="pick-row">
            <input
              type="checkbox"
              disabled={!canSelect}
              checked={isInLineup(row) || selected.has(outline)}
              onChange={() => onChange(withToggled(selected, outline))}
            />
            <span>
              <bdi>{outline.title}</bdi>
              <small>
                {isInLineup(row) ? (
                  msg('In your line-up')
                ) : canSelect ? (
                  <bdi dir="ltr">{shortenAddress(outline.address)}</bdi>
                ) : (
                  msg(str`Not a web address: ${outline.address.slice(0, 80)}`)
                )}
              </small>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/**
 * Returns true if the reader can import an outline: it is not in the line-up, and is a known channel or a web address.
 */
const isSelectable = ({ outline, row }: ListedOutline): boolean =>
  !isInLineup(row) && (row !== null || parseWebAddress(outline.address) !== null);

const isInLineup = (row: LineupRow | null): boolean => row?.followed === true;

/** Returns a copy of the set without the item, or with it if the set does not contain it. */
function withToggled<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const toggled = new Set(items);
  if (!toggled.delete(item)) toggled.add(item);
  return toggled;
}

/** Returns an address without its scheme, `www.` and the slash at the end. */
const shortenAddress = (address: string): string => address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
