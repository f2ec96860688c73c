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

/** Channel picker of an import: shows the channels in a file with checkboxes, and the folders that become presets. */
export function ChannelPicker({ file, rows, start }: ChannelPickerProps) {
  const m = useMsg();
  const presets = useSignalValue(useServices().dataClient.presets);
  // Fixed when the sheet opens: the content of the file, and the state of the line-up at that time.
  const [listed] = useState(() => file.outlines.map((outline) => ({ outline, row: findRowByAddress(outline.address, rows) })));
  const open = useMemo(
    () => listed.filter(({ outline, row }) => !isInLineup(row) && (row !== null || parseWebAddress(outline.address) !== null)),
    [listed],
  );
  const [chosen, choose] = useState<ReadonlySet<OpmlOutline>>(() => new Set(open.map(({ outline }) => outline)));
  const offered = file.folders.slice(0, Math.max(0, MAX_PRESETS - presets.length));
  const [folders, chooseFolders] = useState<ReadonlySet<string>>(() => new Set(offered));
  const held = listed.filter(({ row }) => isInLineup(row));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Channels that are already in the line-up are included for their folders.
    const wanted = listed.filter(({ outline, row }) => chosen.has(outline) || isInLineup(row)).map(({ outline }) => outline);
    start(wanted, [...folders]);
  };
  const isAll = chosen.size === open.length;
  const isNothing = chosen.size === 0 && (held.length === 0 || folders.size === 0);
  return (
    <form className="exchange" onSubmit={submit}>
      <p className="sheet-note" tabIndex={-1} ref={focusOnMount}>
        {m.plural(listed.length, m.msg('one: # channel is in it. | other: # channels are in it.'))}
        {held.length > 0 && ` ${m.plural(held.length, m.msg('one: You have # already. | other: You have # already.'))}`}
        {file.droppedCount > 0 &&
          ` ${m.plural(file.droppedCount, m.msg('one: # more is left out: a line-up holds 1000. | other: # more are left out: a line-up holds 1000.'))}`}
      </p>
      {offered.length > 0 && (
        <fieldset className="pick">
          <legend>{m.msg('Folders that become presets')}</legend>
          {offered.map((name) => (
            <label key={name} className="pick-row">
              <input type="checkbox" checked={folders.has(name)} onChange={() => chooseFolders(withToggled(folders, name))} />
              <span>
                <bdi>{name}</bdi>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <fieldset className="pick">
        <legend>{m.msg('Channels')}</legend>
        {open.length > 1 && (
          <label className="pick-row pick-all">
            <input
              type="checkbox"
              checked={isAll}
              onChange={() => choose(new Set(isAll ? [] : open.map(({ outline }) => outline)))}
            />
            <span>{m.msg('All of them')}</span>
          </label>
        )}
        {listed.map(({ outline, row }) => {
          const isOpen = open.some((each) => each.outline === outline);
          return (
            <label key={outline.address} className="pick-row">
              <input
                type="checkbox"
                disabled={!isOpen}
                checked={isInLineup(row) || chosen.has(outline)}
                onChange={() => choose(withToggled(chosen, outline))}
              />
              <span>
                <bdi>{outline.title}</bdi>
                <small>
                  {isInLineup(row) ? (
                    m.msg('In your line-up')
                  ) : isOpen ? (
                    <bdi dir="ltr">{shortenAddress(outline.address)}</bdi>
                  ) : (
                    m.msg(str`Not a web address: ${outline.address.slice(0, 80)}`)
                  )}
                </small>
              </span>
            </label>
          );
        })}
      </fieldset>
      <div className="sheet-actions">
        <button type="submit" className="button" disabled={isNothing}>
          {m.plural(chosen.size, m.msg('=0: Import the presets | one: Import # channel | other: Import # channels'))}
        </button>
      </div>
    </form>
  );
}

const isInLineup = (row: LineupRow | null): boolean => row?.followed === true;

function withToggled<Item>(all: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(all);
  if (!next.delete(item)) next.add(item);
  return next;
}

const shortenAddress = (address: string): string => address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
